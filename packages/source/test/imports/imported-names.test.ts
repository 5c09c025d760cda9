import { describe, expect, it } from 'vitest'
import { importedNames, isImportOf, namesOfFile } from '../../imports/imported-names.ts'

/** True when an index would find that `path` imports `target`. */
function isFound(target: string, path: string, text: string, ...others: readonly string[]) {
  const paths = new Set([target, path, ...others])
  const names = namesOfFile(target)
  return importedNames(path, text)
    .filter(({ name }) => names.includes(name))
    .some(({ specifier }) => isImportOf(target, { path, specifier }, (each) => paths.has(each)))
}

describe('which imports mean a file', () => {
  it.each([
    ['src/cart.ts', 'test/cart.test.ts', "import { a } from '../src/cart.js'"],
    ['src/cart/index.ts', 'src/page.ts', "import { a } from './cart'"],
    ['src/cart.js', 'src/Page.vue', "<script>\nimport a from './cart.js'\n</script>"],
    ['src/index.js', 'src/lib/a.js', "const all = require('..')"],
    ['shop/cart.py', 'tests/test_cart.py', 'from shop.cart import total'],
    ['shop/cart.py', 'shop/page.py', 'from . import cart'],
    ['shop/__init__.py', 'tests/test_shop.py', 'import shop'],
    ['common/maps/maps.go', 'tpl/a.go', 'import (\n\t"fmt"\n\tm "example.org/x/common/maps"\n)'],
    ['common/maps/scratch.go', 'tpl/a.go', 'import "example.org/x/common/maps"'],
    ['src/runtime/task.rs', 'src/lib.rs', 'use crate::runtime::{task, other};'],
    ['src/sync/mod.rs', 'src/a.rs', 'use crate::sync::Mutex;\nuse crate::sync;'],
    ['src/main/java/shop/Cart.java', 'src/test/java/shop/A.java', 'import static shop.Cart;'],
    ['lib/shop/cart.rb', 'spec/a_spec.rb', "require 'shop/cart'"],
    ['src/cart.h', 'src/cart_test.h', '#include "cart.h"'],
  ])('%s: imported by %s', (target, path, text) => {
    expect(isFound(target, path, text)).toBe(true)
  })

  it.each([
    ['src/cart.ts', 'src/cart.ts', "import './cart.ts'"],
    ['src/cart.ts', 'lib/page.ts', "import { a } from './cart.ts'"],
    ['src/cart.ts', 'lib/page.ts', "import { a } from 'cart'"],
    ['src/cart.ts', 'src/page.ts', "// import { a } from './cart.ts'"],
    ['other/maps/a.go', 'tpl/a.go', 'import "example.org/x/common/maps"'],
    ['src/runtime/task.rs', 'src/a.rs', 'use crate::other::task;'],
    ['src/cart.rb', 'src/a.py', 'import cart'],
  ])('%s: not by %s: %s', (target, path, text) => {
    expect(isFound(target, path, text)).toBe(false)
  })

  it.each([
    ['a.js', "import '".repeat(50_000)],
    ['a.go', `import (${'"'.repeat(100_000)}`],
    ['a.rs', `use ${'a::'.repeat(50_000)}{${'b,'.repeat(50_000)}`],
  ])('takes little of a hostile %s', (path, text) => {
    const names = importedNames(path, text)
    expect(names.length).toBeLessThanOrEqual(300)
    for (const { specifier } of names) expect(specifier.length).toBeLessThanOrEqual(300)
  })
})
