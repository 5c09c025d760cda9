import { describe, expect, test } from 'vitest'
import { importedFiles, resolveImport, unresolvedImports } from '../../imports/imports.ts'

const paths = [
  'src/index.ts',
  'src/lib/user.ts',
  'src/lib/format.js',
  'src/lib/dates/index.ts',
  'src/views/Card.tsx',
  'src/types.d.ts',
  'src/data.json',
  'src/old.mts',
  'a/shape.js',
  'b/shape.js',
  'services/order.js',
  'models/order.js',
  'app/__init__.py',
  'app/models.py',
  'app/tools/clock.py',
  'app/api/__init__.py',
  'app/api/routes.py',
  'src/pkg/core.py',
  'scripts/run.py',
  'scripts/steps.py',
]
const known = new Set(paths)
const exists = (path: string) => known.has(path)

describe('importedFiles', () => {
  test('finds every form, and none in comments, strings or templates', () => {
    const text = `import a, { b } from './a.js'
import type { T } from '../t.ts'
import './side-effect.css'
import data from './data.json' with { type: 'json' }
import fs from 'node:fs'
export * from "./all.js"
export {
  c,
  d as e,
} from './c'
const lazy = await import('./lazy.js'), old = require('./old.cjs')
// import x from './commented.js'
/* import y from './blocked.js' */
const code = \`import z from './template.js'\`
const text = "require('./string.js')"
obj.require('./method.js')
const from = './not-an-import.js'
import again from './a.js'
`
    expect(importedFiles('src/x.ts', text, () => true)).toEqual([
      'src/a.js',
      't.ts',
      'src/side-effect.css',
      'src/data.json',
      'src/all.js',
      'src/c',
      'src/lazy.js',
      'src/old.cjs',
    ])
  })

  test('finds Python modules and what may be one', () => {
    const text = `import os, app.models as m
from .tools import (
    clock,
    calendar as cal,  # note
)
from . import api
# from hidden import x
"""
from docstring import y
"""
def f():
    from app.api import routes
`
    expect(importedFiles('app/x.py', text, () => true)).toEqual([
      'os.py',
      'app/models.py',
      'app/tools.py',
      'app/tools/clock.py',
      'app/tools/calendar.py',
      'app/__init__.py',
      'app/api.py',
      'app/api.py',
      'app/api/routes.py',
    ])
  })

  test('knows no imports of other languages', () => {
    expect(importedFiles('a.go', 'import "./x"', () => true)).toEqual([])
  })
})

describe('resolveImport', () => {
  test.each([
    ['src/index.ts', './lib/user.ts', 'src/lib/user.ts'],
    ['src/index.ts', './lib/user.js', 'src/lib/user.ts'],
    ['src/index.ts', './lib/user', 'src/lib/user.ts'],
    ['src/index.ts', './lib/dates', 'src/lib/dates/index.ts'],
    ['src/index.ts', './old.mjs', 'src/old.mts'],
    ['src/index.ts', './types', 'src/types.d.ts'],
    ['src/index.ts', './data.json?raw', 'src/data.json'],
    ['src/lib/user.ts', '..', 'src/index.ts'],
    ['src/lib/user.ts', '../views/Card', 'src/views/Card.tsx'],
    ['src/lib/user.ts', '../views/card', null],
    ['src/index.ts', '../../../etc/passwd', null],
    ['src/index.ts', 'lib/user', null],
    ['src/index.ts', '@/lib/user', null],
    ['app/api/routes.py', '..models', 'app/models.py'],
    ['app/api/routes.py', '.', 'app/api/__init__.py'],
    ['app/api/routes.py', 'app.tools.clock', 'app/tools/clock.py'],
    ['app/models.py', 'pkg.core', 'src/pkg/core.py'],
    ['scripts/run.py', 'steps', 'scripts/steps.py'],
    ['app/models.py', 'yaml', null],
  ])('%s imports %s: %s', (from, specifier, path) => {
    expect(resolveImport(from, specifier, exists)).toBe(path)
  })
})

describe('unresolvedImports', () => {
  test.each([
    ['src/index.ts', "import { u } from './user'", './lib/user'],
    ['src/index.ts', "import { u } from './user.js'", './lib/user.js'],
    ['src/index.ts', "import { u } from './user.ts'", './lib/user.ts'],
    ['src/views/Card.tsx', "import f from './format.js'", '../lib/format.js'],
    ['src/lib/user.ts', "import { Card } from '../card'", '../views/Card'],
    ['src/lib/user.ts', "import d from '../dates'", './dates'],
    ['test/x.test.js', "const f = require('../format.js')", '../src/lib/format.js'],
    ['src/index.ts', "import s from './shape.js'", null],
    ['main.js', "import o from './lib/services/order.js'", './services/order.js'],
    ['src/index.ts', "import n from './nothing.js'", null],
    ['app/api/routes.py', 'from .models import User', '..models'],
    ['app/api/routes.py', 'from app.clock import now', 'app.tools.clock'],
    ['app/api/routes.py', 'import app.nothing', null],
  ])('%s: %s is corrected to %s', (path, text, suggestion) => {
    const found = unresolvedImports(path, `\n${text}\n`, exists, paths)
    expect(found).toMatchObject([{ specifier: expect.any(String), line: 2, suggestion }])
  })

  test.each([
    ['src/index.ts', "import './lib/user.js'\nimport express from 'express'\nimport x from '@/x'"],
    ['src/index.ts', "import { P } from './generated/client'\nimport d from '../dist/index.js'"],
    ['src/index.ts', "import type { R } from './+types/root'"],
    ['app/api/routes.py', 'import yaml\nfrom . import anything\nfrom .. import models'],
    ['app/api/routes.py', 'from app import something_of_init\nfrom app.tools import clock'],
    ['backend/main.py', 'from pkg.core import x\nimport core'],
  ])('%s has nothing to complain of: %j', (path, text) => {
    expect(unresolvedImports(path, text, exists, paths)).toEqual([])
  })

  test('says no more than that it is missing where the paths are not given', () => {
    expect(unresolvedImports('src/index.ts', "import './user'", exists)).toEqual([
      { specifier: './user', line: 1, suggestion: null, names: [] },
    ])
  })
})
