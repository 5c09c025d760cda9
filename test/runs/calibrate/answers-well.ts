import { brokenChange, codeTasks } from '../../../src/runs/calibrate/small-tasks.ts'

/** For each task, the lines to change and what they become. */
const solutions: Readonly<Record<string, readonly [string, string]>> = {
  'words/vowels.py': [
    '    raise NotImplementedError',
    '    return sum(each in "aeiou" for each in text.lower())',
  ],
  'lib/clamp.js': [
    "  throw new Error('not written yet')",
    '  return Math.min(high, Math.max(low, value))',
  ],
  'shop/basket.py': [
    '        return sum(price for _, price, _ in self._lines)',
    '        return sum(price * many for _, price, many in self._lines)',
  ],
  'lib/shifts.js': [
    '  return minutesOf(end) - minutesOf(start)',
    '  return (minutesOf(end) - minutesOf(start) + minutesOfDay) % minutesOfDay',
  ],
  'shop/stock.py': [
    'def value(stock, prices):',
    `def reorder_list(stock, least):
    return sorted(name for name, amount in stock.items() if amount < least)


def value(stock, prices):`,
  ],
}

const [faulty, mended] = [
  '    return sum(values) / max(1, len(values)',
  '    return sum(values) / max(1, len(values))',
]

const fenced = (path: string, text: string) => `${path}\n\`\`\`\n${text}\`\`\`\n`
const edit = (path: string, [from, to]: readonly [string, string]) =>
  fenced(path, `<<<<<<< SEARCH\n${from}\n=======\n${to}\n>>>>>>> REPLACE\n`)

/** What a good model answers to the questions of a calibration, in the form that each asks for. */
export function answersWell({ messages }: { readonly messages: unknown }): string {
  const asked = JSON.stringify(messages)
  if (asked.includes('pixel-tools')) {
    return '{"reason": "environment_issue", "explanation": "pixel-tools is missing"}'
  }
  if (asked.includes('src/greet.js')) {
    return '{"tool": "read_file", "arguments": {"path": "src/greet.js"}}'
  }
  if (asked.includes(brokenChange.path)) return edit(brokenChange.path, [faulty, mended])
  const task = codeTasks.find(({ test }) => asked.includes(test.path))
  const change = task && solutions[task.path]
  if (task === undefined || change === undefined) throw new Error(`An unknown question: ${asked}`)
  if (asked.includes('<<<<<<< SEARCH')) return edit(task.path, change)
  return fenced(task.path, task.text.replace(...change))
}
