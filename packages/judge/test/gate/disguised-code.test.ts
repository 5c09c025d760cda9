import { describe, expect, it, test } from 'vitest'
import { checkChangeSet, type GateRules } from '../../gate/gate.ts'

const rules: GateRules = {
  scope: [],
  roadmap: 'ROADMAP.md',
  protectedPaths: [],
  allowed: [],
  modes: new Map([['old.js', '100644']]),
}
const found = (path: string, content: string) =>
  checkChangeSet([{ action: 'create', path, content }], rules).map(({ type, line }) => [type, line])

/** The kinds of attack on https://trojansource.codes, in the languages of its examples. */
describe('code that reads differently than it runs is refused', () => {
  test.each([
    ['early-return.py', 'def a():\n    """Subtract \u2067""" ;return\n    b()\n', 2],
    [
      'commenting-out.c',
      'int a;\n/*\u202E } \u2066if (isAdmin)\u2069 \u2066 begin admins only */\n',
      2,
    ],
    [
      'stretched-string.js',
      'if (level != "user\u202E \u2066// Check if admin\u2069 \u2066") {\n}\n',
      1,
    ],
    ['commenting-out.go', '/*\u202E } \u2066if isAdmin\u2069 \u2066 begin */\n', 1],
    ['commenting-out.rs', '/*\u202E } \u2066if is_admin\u2069 \u2066 begin */\n', 1],
    ['StretchedString.java', 'if (level != "user\u202E \u2066// x\u2069 \u2066") {}\n', 1],
    ['CommentingOut.cs', '/*\u202E } \u2066if (isAdmin)\u2069 \u2066 begin */\n', 1],
    ['marks.js', 'const a = "x\u200F"\n', 1],
    ['arabic-mark.js', 'const a = "x\u061C"\n', 1],
    ['invisible-parameter.js', 'const { timeout,\u3164} = request.query\n', 1],
    ['invisible-function.py', 'def is_\u200Badmin(): pass\n', 1],
    ['joiner.rs', 'let ad\u200Dmin = 1;\n', 1],
    ['selectors.js', `eval(decode('\u{E0101}\u{E0102}\u{E0103}'))\n`, 1],
    ['tags.ts', 'const a = "\u{E0065}\u{E0076}"\n', 1],
    ['homoglyph-function.go', 'func say\u041Dello() {}\n', 1],
    ['homoglyph.py', 'p\u0430ssword = 1\n', 1],
    ['homoglyph.js', 'const \u0455cope = 1\n', 1],
    ['greek.js', 'const \u039Fbject2 = 1\nconst \u039Fpen = 2\n', 1],
    ['armenian.rb', 'n\u0585de = 1\n', 1],
    ['cherokee.js', 'const \u13AAoo = 1\n', 1],
    ['wide.py', '\uFF45val("x")\n', 1],
    ['styled.py', '\u{1D41E}\u{1D42F}\u{1D41A}\u{1D425}("x")\n', 1],
    ['twin.js', 'const scope = 1\nconst \u0455\u0441\u043E\u0440\u0435 = 2\n', 2],
    ['pushed.js', `const a = 1;${' '.repeat(300)}steal()\n`, 1],
    ['pushed-comment.js', `/**\n * @a${' '.repeat(300)}*/ steal()\n`, 2],
    ['pushed-comment.php', `<?php\n// @a${' '.repeat(300)}?><?php steal();\n`, 2],
    ['pushed-factor.js', `a\n * b${' '.repeat(300)}|| steal()\n`, 2],
  ])('%s', (path, content, line) => {
    expect(found(path, content)).toEqual(expect.arrayContaining([['hidden_text', line]]))
  })
})

describe('honest code in any language passes', () => {
  test.each([
    ['aligned.php', `<?php\n/**\n * @param a|b${' '.repeat(300)}$name\n */\n`],
    ['aligned.rb', `# @param [Hash]${' '.repeat(300)}name\n`],
    ['russian.js', '// Привет, мир: scope и область\nconst имя = "Иван"\nconst счётчик = 1\n'],
    ['russian.py', 'рост = 1\nсумма = рост + 2\nprint("сумма", рост)\n'],
    ['greek.py', 'Δt = λ * σ2\nπ = 3.14\nάθροισμα = Δt\n'],
    ['chinese.py', '名字 = "世界"\n# 你好\nprint(名字)\n'],
    ['japanese.rb', '変数 = "こんにちは"\n'],
    ['korean.js', 'const 이름 = "세계"\n'],
    ['arabic.js', 'const greeting = "مرحبا بالعالم"\n'],
    ['hebrew.js', '// שלום עולם\nconst a = 1\n'],
    ['persian.js', 'const a = "می‌خواهم"\n'],
    ['hindi.js', 'const a = "क्‍ष"\n'],
    ['german.java', 'int größe = 1; // Straße\n'],
    ['french.cs', 'var élève = "été";\n'],
    ['turkish.js', 'const ışık = "İstanbul"\n'],
    ['emoji.js', 'const a = "👨‍👩‍👧 ❤️ 🏳️‍🌈"\n'],
    ['units.js', 'const micro = "5 µm, 10 Ω, 3 Å"\n'],
    ['quotes.md', '“quoted” — and dashes… café\n'],
    ['mixed.md', 'Слово API-ключ and сервер-side\n'],
    ['escapes.js', 'const a = "\\u202E\\u200B\\nПривет"\n'],
    ['table.js', `const a = 1${' '.repeat(100)}// aligned\n`],
    ['mark.cs', '\uFEFFclass A {}\n'],
  ])('%s', (path, content) => {
    expect(found(path, content)).toEqual([])
  })

  it('that was there before, too', () => {
    const line = 'const p\u0430ss = "\u202E"\n'
    const wide = `a;${' '.repeat(300)}b()\n`
    const before = line + wide
    const modify = { action: 'modify', path: 'old.js', before } as const
    expect(checkChangeSet([{ ...modify, content: `${before}const b = 1\n` }], rules)).toEqual([])
    expect(checkChangeSet([{ ...modify, content: `${before}x${line}` }], rules)).toHaveLength(1)
  })
})
