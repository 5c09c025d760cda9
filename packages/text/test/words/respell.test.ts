import { expect, it } from 'vitest'
import { respell } from '../../text.ts'

const decomposed = 'src/cafe\u0301.js'
const known = ['src/app.js', decomposed, 'u\u0308ber/uns/a.md', 'naïve.py']

it.each([
  ['src/caf\u00e9.js', decomposed],
  [decomposed, decomposed],
  ['\u00fcber/uns/b.md', 'u\u0308ber/uns/b.md'],
  ['\u00fcber/neu.md', 'u\u0308ber/neu.md'],
  ['nai\u0308ve.py', 'na\u00efve.py'],
  ['src/th\u00e9.js', 'src/th\u00e9.js'],
  ['src/app.js', 'src/app.js'],
  ['caf\u00e9.js', 'caf\u00e9.js'],
])('%s is %s here', (path, spelled) => {
  expect(respell(path, known)).toBe(spelled)
})
