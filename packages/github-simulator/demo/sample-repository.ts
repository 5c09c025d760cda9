/** The demo's project: a small shop in plain JavaScript, tested by node:test, without dependencies. */
export const sampleFiles: Readonly<Record<string, string>> = {
  'README.md': '# Corner shop\n\nPrices, carts and invoices.\n',
  'package.json': `${JSON.stringify(
    { name: 'corner-shop', version: '1.0.0', type: 'module', scripts: { test: 'node --test' } },
    null,
    2,
  )}\n`,
  'src/cart.js': `/** Sum of price times quantity, in cents. */
export function total(items) {
  return items.reduce((sum, item) => sum + item.price * item.quantity, 0)
}
`,
  'test/cart.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { total } from '../src/cart.js'

test('a cart costs the sum of its items', () => {
  assert.equal(total([{ price: 250, quantity: 2 }, { price: 99, quantity: 1 }]), 599)
})

test('an empty cart costs nothing', () => {
  assert.equal(total([]), 0)
})
`,
  'ROADMAP.md': `# Roadmap

## Phase 1: Money

- [x] T-100: Sum up a cart
- [ ] T-101: Format prices
  - Cents become euros with two decimals: 599 is "5.99 €"
  - **Files**: \`src/format-price.js\`
- [ ] T-102: Give a discount on the total of a cart
  - \`total(items, percent)\` takes off that many per cent and rounds to whole cents
  - **Files**: \`src/cart.js\`

## Phase 2: Paper

- [ ] T-103: Print an invoice with today's date on top
  - **Files**: \`src/invoice.js\`
- [ ] T-104: Format dates as day.month.year
  - **Files**: \`src/format-date.js\`
- [ ] T-105: Describe prices and carts in the README
  - **Files**: \`README.md\`
`,
}
