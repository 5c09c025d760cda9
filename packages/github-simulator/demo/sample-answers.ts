import type { ModelScript } from '../model/model-script.ts'

const file = (path: string, text: string): string => `${path}\n\`\`\`\n${text}\`\`\`\n`

const edit = (path: string, search: string, replace: string): string =>
  file(path, `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n`)

const priceWithoutBrace = `/** 599 becomes "5.99 €". */
export function formatPrice(cents) {
  const euros = (cents / 100).toFixed(2)
  return \`\${euros} €\`
`

const priceTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatPrice } from '../src/format-price.js'

test('cents become euros', () => {
  assert.equal(formatPrice(599), '5.99 €')
  assert.equal(formatPrice(5), '0.05 €')
})
`

const sum = 'return items.reduce((sum, item) => sum + item.price * item.quantity, 0)'

const invoice = `import { total } from './cart.js'
import { formatDate } from './format-date.js'

/** Date, items and total, one a line. */
export function printInvoice(items, date) {
  const lines = items.map(({ name, price, quantity }) => \`\${quantity} \${name}: \${price} cents\`)
  return [formatDate(date), ...lines, \`Total: \${total(items)} cents\`].join('\\n')
}
`

const invoiceTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printInvoice } from '../src/invoice.js'

test('an invoice starts with the date and ends with the total', () => {
  const text = printInvoice([{ name: 'Tea', price: 250, quantity: 2 }], new Date(2026, 0, 9))
  assert.equal(text, '09.01.2026\\n2 Tea: 250 cents\\nTotal: 500 cents')
})
`

const date = `/** 9 January 2026 becomes "09.01.2026". */
export function formatDate(date) {
  const two = (number) => String(number).padStart(2, '0')
  return \`\${two(date.getDate())}.\${two(date.getMonth() + 1)}.\${date.getFullYear()}\`
}
`

const dateTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDate } from '../src/format-date.js'

test('day and month have two digits', () => {
  assert.equal(formatDate(new Date(2026, 0, 9)), '09.01.2026')
})
`

/**
 * The answers of the demo's model. T-101 lacks a brace, T-102 forgets carts without a discount, and
 * T-103 uses a file that only T-104 creates.
 */
export const sampleAnswers: ModelScript = [
  {
    when: { task: 'T-101', purpose: 'draft' },
    answers: [
      file('src/format-price.js', priceWithoutBrace) + file('test/format-price.test.js', priceTest),
    ],
  },
  {
    when: { task: 'T-101', purpose: 'repair_code' },
    answers: [edit('src/format-price.js', '  return `${euros} €`', '  return `${euros} €`\n}')],
  },
  {
    when: { task: 'T-102', purpose: 'draft' },
    answers: [
      edit(
        'src/cart.js',
        'export function total(items) {',
        'export function total(items, percent) {',
      ) +
        edit(
          'src/cart.js',
          `  ${sum}`,
          `  const full = items.reduce((sum, item) => sum + item.price * item.quantity, 0)\n  return Math.round(full * (1 - percent / 100))`,
        ),
    ],
  },
  {
    when: { task: 'T-102', purpose: 'repair_test' },
    answers: [
      edit(
        'src/cart.js',
        'export function total(items, percent) {',
        'export function total(items, percent = 0) {',
      ),
    ],
  },
  {
    when: { task: 'T-103', purpose: 'draft' },
    answers: [file('src/invoice.js', invoice) + file('test/invoice.test.js', invoiceTest)],
  },
  {
    when: { task: 'T-104', purpose: 'draft' },
    answers: [file('src/format-date.js', date) + file('test/format-date.test.js', dateTest)],
  },
  {
    when: { task: 'T-105', purpose: 'draft' },
    answers: [
      edit(
        'README.md',
        'Prices, carts and invoices.',
        'Prices, carts and invoices.\n\n- `formatPrice(599)` is "5.99 €"\n- `total(items, 10)` takes off ten per cent',
      ),
    ],
  },
]
