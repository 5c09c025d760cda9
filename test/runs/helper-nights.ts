import type { Settings } from '../../src/core/domain/settings.ts'
import type { Files } from '../fakes/memory-workspace.ts'

/** Two tasks of one night: the first makes a helper, and the second should use it. */
export interface HelperNight {
  readonly name: string
  readonly stack?: Settings['stack']
  /** The second task names the first as one that it depends on. */
  readonly needs?: true
  /** Files of the project before. */
  readonly files?: Files
  readonly helper: { readonly task: string; readonly path: string; readonly text: string }
  readonly user: { readonly task: string; readonly path: string; readonly text: string }
  /** The helper as the first answer has it, before its repair. */
  readonly draft?: string
  /** What the second request must hold. */
  readonly finds: string
}

const js = { 'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n' }

export const nights: readonly HelperNight[] = [
  {
    name: 'a JavaScript function',
    files: js,
    helper: {
      task: 'Format amounts of money',
      path: 'src/amounts.js',
      text: 'export function formatAmount(cents, currency) {\n  return `${cents / 100} ${currency}`\n}\n',
    },
    user: {
      task: 'The invoice shows its sum as money',
      path: 'src/invoice.js',
      text: "import { formatAmount } from './amounts.js'\nexport const invoice = (sum) => formatAmount(sum, 'EUR')\n",
    },
    finds: 'src/amounts.js: formatAmount(cents, currency)',
  },
  {
    name: 'a CommonJS module that exports an object',
    files: { 'package.json': '{ "scripts": { "test": "node --test" } }\n' },
    helper: {
      task: 'Make slugs',
      path: 'lib/slugs.js',
      text: 'const slugify = (text, separator) => text.split(" ").join(separator)\nmodule.exports = { slugify }\n',
    },
    user: {
      task: 'Posts have a slug',
      path: 'lib/posts.js',
      text: "const { slugify } = require('./slugs.js')\nexports.post = (title) => ({ slug: slugify(title, '-') })\n",
    },
    finds: 'lib/slugs.js: slugify(text, separator)',
  },
  {
    name: 'a TypeScript class, the default export',
    files: js,
    helper: {
      task: 'Add a cache with a time to live',
      path: 'src/store/ttl.ts',
      text: 'export default class ExpiringMap<Value> {\n  #kept = new Map<string, Value>()\n  set(key: string, value: Value): void {\n    this.#kept.set(key, value)\n  }\n}\n',
    },
    user: {
      task: 'Answers of the exchange go through the cache',
      path: 'src/exchange.ts',
      text: "import ExpiringMap from './store/ttl.ts'\nexport const rates = new ExpiringMap<number>()\n",
    },
    finds: 'src/store/ttl.ts: ExpiringMap',
  },
  {
    name: 'TypeScript types and functions that the next task names',
    files: js,
    helper: {
      task: 'Read spans of pages',
      path: 'src/pages.ts',
      text: 'export interface Span { from: number; to: number }\nexport const parseSpan = (text: string): Span => ({ from: 1, to: 2 })\n',
    },
    user: {
      task: 'The printer takes what `parseSpan` returns',
      path: 'src/printer.ts',
      text: "import type { Span } from './pages.ts'\nexport const print = (span: Span) => span.to\n",
    },
    finds: 'src/pages.ts: Span, parseSpan(text: string)',
  },
  {
    name: 'a function added to a file that was there',
    files: { ...js, 'src/text.js': 'export const upper = (text) => text.toUpperCase()\n' },
    helper: {
      task: 'Shorten texts in `src/text.js`',
      path: 'src/text.js',
      text: 'export const upper = (text) => text.toUpperCase()\nexport function ellipsis(text, most) {\n  return text.slice(0, most)\n}\n',
    },
    user: {
      task: 'The list shortens its titles',
      path: 'src/list.js',
      text: "import { ellipsis } from './text.js'\nexport const list = (titles) => titles.map((title) => ellipsis(title, 20))\n",
    },
    finds: 'src/text.js: ellipsis(text, most)',
  },
  {
    name: 'a Python function',
    helper: {
      task: 'Retry a call that fails',
      path: 'app/again.py',
      text: 'def with_retries(call, *, tries: int = 3):\n    return call()\n',
    },
    user: {
      task: 'Downloads are retried, each call at most five times',
      path: 'app/download.py',
      text: 'from app.again import with_retries\n\n\ndef download(fetch):\n    return with_retries(fetch, tries=5)\n',
    },
    finds: 'app/again.py: with_retries(call, *, tries: int = 3)',
  },
  {
    name: 'a Python class in a package',
    helper: {
      task: 'Count events by minute',
      path: 'metrics/counter.py',
      text: 'class MinuteCounter:\n    def add(self, name):\n        return name\n',
    },
    user: {
      task: 'The server counts its requests',
      path: 'server.py',
      text: 'from metrics.counter import MinuteCounter\n\nrequests = MinuteCounter()\n',
    },
    finds: 'metrics/counter.py: MinuteCounter',
  },
  {
    name: 'a Go function and a type',
    files: { 'go.mod': 'module example.com/shop\n' },
    helper: {
      task: 'Round prices',
      path: 'round/round.go',
      text: 'package round\n\ntype Mode int\n\nfunc ToCents(value float64, mode Mode) int {\n\treturn int(value * 100)\n}\n',
    },
    user: {
      task: 'Discounts are rounded',
      path: 'discount.go',
      text: 'package shop\n\nimport "example.com/shop/round"\n\nfunc Discount(value float64) int { return round.ToCents(value, 0) }\n',
    },
    finds: 'round/round.go: Mode, ToCents(value float64, mode Mode)',
  },
  {
    name: 'a Rust function',
    files: { 'Cargo.toml': '[package]\nname = "shop"\nedition = "2021"\n' },
    helper: {
      task: 'Escape HTML',
      path: 'src/html.rs',
      text: 'pub fn escape_html(text: &str) -> String {\n    text.to_owned()\n}\n',
    },
    user: {
      task: 'Comments are escaped',
      path: 'src/comments.rs',
      text: 'use crate::html::escape_html;\n\npub fn comment(text: &str) -> String {\n    escape_html(text)\n}\n',
    },
    finds: 'src/html.rs: escape_html(text: &str)',
  },
  {
    name: 'a static method in Java',
    files: { 'pom.xml': '<project/>\n' },
    helper: {
      task: 'Mask card numbers',
      path: 'src/main/java/shop/Masks.java',
      text: 'package shop;\n\npublic final class Masks {\n  public static String maskCard(String number) {\n    return number;\n  }\n}\n',
    },
    user: {
      task: 'The log masks cards',
      path: 'src/main/java/shop/Log.java',
      text: 'package shop;\n\npublic final class Log {\n  public static String line(String card) {\n    return Masks.maskCard(card);\n  }\n}\n',
    },
    finds: 'src/main/java/shop/Masks.java: Masks, maskCard(String number)',
  },
]
