/**
 * The page's only script: it searches tasks, and opens folded parts before printing. It reads text and hides
 * elements; it writes no markup. The content policy allows only the script with its hash.
 */
export const script = `'use strict';
const field = document.getElementById('find');
if (field) {
  const tasks = [...document.querySelectorAll('.task')].map((task) => [task, task.textContent.toLowerCase()]);
  const none = document.getElementById('none');
  const show = () => {
    const words = field.value.toLowerCase().split(/\\s+/);
    for (const [task, text] of tasks) task.hidden = !words.every((word) => text.includes(word));
    none.hidden = tasks.some(([task]) => task.offsetParent !== null);
  };
  field.closest('label').hidden = false;
  field.addEventListener('input', show);
  for (const choice of document.getElementsByName('outcome')) choice.addEventListener('change', show);
}
const folded = () => document.querySelectorAll('details:not([open])');
let opened = [];
addEventListener('beforeprint', () => { opened = [...folded()]; for (const each of opened) each.open = true; });
addEventListener('afterprint', () => { for (const each of opened) each.open = false; });
`
