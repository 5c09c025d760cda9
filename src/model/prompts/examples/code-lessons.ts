import type { Lesson } from './lesson.ts'

const task = (path: string) => `${path}: total must add the prices up.`
const freshTask = (path: string) => `Write ${path}, which rounds a price to cents.`

/** By language: a mended function, and a module beside it. */
export const codeLessons = {
  javascript: {
    task: task('lib/price.js'),
    path: 'lib/price.js',
    before: 'export function total(prices) {\n  return prices.length\n}\n',
    search: '  return prices.length',
    replace: '  return prices.reduce((sum, price) => sum + price, 0)',
    fresh: {
      path: 'lib/round.js',
      task: freshTask('lib/round.js'),
      text: 'export const round = (price) => Math.round(price * 100) / 100\n',
    },
  },
  typescript: {
    task: task('lib/price.ts'),
    path: 'lib/price.ts',
    before: 'export function total(prices: number[]): number {\n  return prices.length\n}\n',
    search: '  return prices.length',
    replace: '  return prices.reduce((sum, price) => sum + price, 0)',
    fresh: {
      path: 'lib/round.ts',
      task: freshTask('lib/round.ts'),
      text: 'export const round = (price: number): number => Math.round(price * 100) / 100\n',
    },
  },
  python: {
    task: task('shop/price.py'),
    path: 'shop/price.py',
    before: 'def total(prices):\n    return len(prices)\n',
    search: '    return len(prices)',
    replace: '    return sum(prices)',
    fresh: {
      path: 'shop/rounding.py',
      task: freshTask('shop/rounding.py'),
      text: 'def to_cents(price):\n    return round(price, 2)\n',
    },
  },
  go: {
    task: task('shop/price.go'),
    path: 'shop/price.go',
    before: 'package shop\n\nfunc Total(prices []int) int {\n\treturn len(prices)\n}\n',
    search: '\treturn len(prices)',
    replace: '\tsum := 0\n\tfor _, price := range prices {\n\t\tsum += price\n\t}\n\treturn sum',
    fresh: {
      path: 'shop/round.go',
      task: freshTask('shop/round.go'),
      text: 'package shop\n\nimport "math"\n\nfunc Round(price float64) float64 {\n\treturn math.Round(price*100) / 100\n}\n',
    },
  },
  rust: {
    task: task('src/price.rs'),
    path: 'src/price.rs',
    before: 'pub fn total(prices: &[f64]) -> f64 {\n    prices.len() as f64\n}\n',
    search: '    prices.len() as f64',
    replace: '    prices.iter().sum()',
    fresh: {
      path: 'src/round.rs',
      task: freshTask('src/round.rs'),
      text: 'pub fn round(price: f64) -> f64 {\n    (price * 100.0).round() / 100.0\n}\n',
    },
  },
  java: {
    task: task('src/main/java/shop/Price.java'),
    path: 'src/main/java/shop/Price.java',
    before:
      'package shop;\n\nclass Price {\n    static double total(double... prices) {\n        return prices.length;\n    }\n}\n',
    search: '        return prices.length;',
    replace: '        return java.util.Arrays.stream(prices).sum();',
    fresh: {
      path: 'src/main/java/shop/Rounding.java',
      task: freshTask('src/main/java/shop/Rounding.java'),
      text: 'package shop;\n\nclass Rounding {\n    static double round(double price) {\n        return Math.round(price * 100) / 100.0;\n    }\n}\n',
    },
  },
  ruby: {
    task: task('lib/price.rb'),
    path: 'lib/price.rb',
    before: 'def total(prices)\n  prices.length\nend\n',
    search: '  prices.length',
    replace: '  prices.sum',
    fresh: {
      path: 'lib/rounding.rb',
      task: freshTask('lib/rounding.rb'),
      text: 'def to_cents(price)\n  price.round(2)\nend\n',
    },
  },
  php: {
    task: task('src/Price.php'),
    path: 'src/Price.php',
    before: '<?php\n\nfunction total(array $prices): float\n{\n    return count($prices);\n}\n',
    search: '    return count($prices);',
    replace: '    return array_sum($prices);',
    fresh: {
      path: 'src/Rounding.php',
      task: freshTask('src/Rounding.php'),
      text: '<?php\n\nfunction toCents(float $price): float\n{\n    return round($price, 2);\n}\n',
    },
  },
  csharp: {
    task: task('Shop/Price.cs'),
    path: 'Shop/Price.cs',
    before:
      'static class Price\n{\n    public static double Total(double[] prices) => prices.Length;\n}\n',
    search: '    public static double Total(double[] prices) => prices.Length;',
    replace: '    public static double Total(double[] prices) => prices.Sum();',
    fresh: {
      path: 'Shop/Rounding.cs',
      task: freshTask('Shop/Rounding.cs'),
      text: 'static class Rounding\n{\n    public static double ToCents(double price) => Math.Round(price, 2);\n}\n',
    },
  },
  c: {
    task: task('src/price.c'),
    path: 'src/price.c',
    before: 'int total(const int *prices, int count)\n{\n    return count;\n}\n',
    search: '    return count;',
    replace:
      '    int sum = 0;\n    for (int i = 0; i < count; i++)\n        sum += prices[i];\n    return sum;',
    fresh: {
      path: 'src/rounding.h',
      task: freshTask('src/rounding.h'),
      text: '#pragma once\n\ndouble to_cents(double price);\n',
    },
  },
} as const satisfies Record<string, Lesson>

export type LessonLanguage = keyof typeof codeLessons
