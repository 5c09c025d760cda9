import type { Lesson } from './lesson.ts'

const addCase = (path: string) => `${path}: test that total of no prices is 0.`

/** By manner of writing tests: a case added after the one that is there, nothing else touched. */
export const testLessons = {
  'node:test': {
    task: addCase('test/price.test.js'),
    path: 'test/price.test.js',
    before:
      "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { total } from '../lib/price.js'\n\ntest('adds up', () => assert.equal(total([2, 3]), 5))\n",
    search: "test('adds up', () => assert.equal(total([2, 3]), 5))",
    replace:
      "test('adds up', () => assert.equal(total([2, 3]), 5))\n\ntest('is 0 without prices', () => assert.equal(total([]), 0))",
  },
  expect: {
    task: addCase('test/price.test.js'),
    path: 'test/price.test.js',
    before:
      "import { total } from '../lib/price.js'\n\ndescribe('total', () => {\n  it('adds up', () => {\n    expect(total([2, 3])).toBe(5)\n  })\n})\n",
    search: '    expect(total([2, 3])).toBe(5)\n  })',
    replace:
      "    expect(total([2, 3])).toBe(5)\n  })\n\n  it('is 0 without prices', () => {\n    expect(total([])).toBe(0)\n  })",
  },
  pytest: {
    task: addCase('tests/test_price.py'),
    path: 'tests/test_price.py',
    before:
      'from shop.price import total\n\n\ndef test_adds_up():\n    assert total([2, 3]) == 5\n',
    search: '    assert total([2, 3]) == 5',
    replace:
      '    assert total([2, 3]) == 5\n\n\ndef test_is_zero_without_prices():\n    assert total([]) == 0',
  },
  go: {
    task: addCase('shop/price_test.go'),
    path: 'shop/price_test.go',
    before:
      'package shop\n\nimport "testing"\n\nfunc TestAddsUp(t *testing.T) {\n\tif got := Total([]int{2, 3}); got != 5 {\n\t\tt.Errorf("got %d, want 5", got)\n\t}\n}\n',
    search: '\t\tt.Errorf("got %d, want 5", got)\n\t}\n}',
    replace:
      '\t\tt.Errorf("got %d, want 5", got)\n\t}\n}\n\nfunc TestIsZeroWithoutPrices(t *testing.T) {\n\tif got := Total(nil); got != 0 {\n\t\tt.Errorf("got %d, want 0", got)\n\t}\n}',
  },
  rust: {
    task: addCase('tests/price.rs'),
    path: 'tests/price.rs',
    before:
      'use shop::total;\n\n#[test]\nfn adds_up() {\n    assert_eq!(total(&[2.0, 3.0]), 5.0);\n}\n',
    search: '    assert_eq!(total(&[2.0, 3.0]), 5.0);\n}',
    replace:
      '    assert_eq!(total(&[2.0, 3.0]), 5.0);\n}\n\n#[test]\nfn is_zero_without_prices() {\n    assert_eq!(total(&[]), 0.0);\n}',
  },
  junit: {
    task: addCase('src/test/java/shop/PriceTest.java'),
    path: 'src/test/java/shop/PriceTest.java',
    before:
      'class PriceTest {\n    @Test\n    void addsUp() {\n        assertEquals(5, Price.total(2, 3));\n    }\n}\n',
    search: '        assertEquals(5, Price.total(2, 3));\n    }',
    replace:
      '        assertEquals(5, Price.total(2, 3));\n    }\n\n    @Test\n    void isZeroWithoutPrices() {\n        assertEquals(0, Price.total());\n    }',
  },
  rspec: {
    task: addCase('spec/price_spec.rb'),
    path: 'spec/price_spec.rb',
    before:
      "RSpec.describe '#total' do\n  it 'adds up' do\n    expect(total([2, 3])).to eq(5)\n  end\nend\n",
    search: '    expect(total([2, 3])).to eq(5)\n  end',
    replace:
      "    expect(total([2, 3])).to eq(5)\n  end\n\n  it 'is 0 without prices' do\n    expect(total([])).to eq(0)\n  end",
  },
  phpunit: {
    task: addCase('tests/PriceTest.php'),
    path: 'tests/PriceTest.php',
    before:
      '<?php\n\nfinal class PriceTest extends TestCase\n{\n    public function testAddsUp(): void\n    {\n        $this->assertSame(5, total([2, 3]));\n    }\n}\n',
    search: '        $this->assertSame(5, total([2, 3]));\n    }',
    replace:
      '        $this->assertSame(5, total([2, 3]));\n    }\n\n    public function testIsZeroWithoutPrices(): void\n    {\n        $this->assertSame(0, total([]));\n    }',
  },
  xunit: {
    task: addCase('Shop.Tests/PriceTests.cs'),
    path: 'Shop.Tests/PriceTests.cs',
    before:
      'public class PriceTests\n{\n    [Fact]\n    public void AddsUp() => Assert.Equal(5, Price.Total([2, 3]));\n}\n',
    search: '    public void AddsUp() => Assert.Equal(5, Price.Total([2, 3]));',
    replace:
      '    public void AddsUp() => Assert.Equal(5, Price.Total([2, 3]));\n\n    [Fact]\n    public void IsZeroWithoutPrices() => Assert.Equal(0, Price.Total([]));',
  },
} as const satisfies Record<string, Lesson>

export type TestManner = keyof typeof testLessons
