import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { missingModules } from '../../prepare/missing-module.ts'

/** A folder is there with its files. */
const paths = [
  ...['lib/shop/cart.rb', 'src/auth/login.py', 'src/main/java/com/acme/App.java', 'app.py'],
  'internal/store.go',
]
const find = (text: string, file: string | null = null) =>
  missingModules([{ message: text, file }], paths).map(
    ({ specifier, kind, from, path }) => `${kind} ${specifier} from ${from} at ${path}`,
  )

describe('missingModules', () => {
  it.each([
    [
      "Cannot find module './user'\nRequire stack:\n- ./test/a.test.js",
      'local ./user from test/a.test.js at test/user',
    ],
    [
      "Cannot find module '../src/user.mjs' imported from ./test/a.test.mjs",
      'local ../src/user.mjs from test/a.test.mjs at src/user',
    ],
    [
      "Cannot find module './user' from 'test/a.test.js'",
      'local ./user from test/a.test.js at test/user',
    ],
    ["Cannot find package 'left-pad' imported from ./a.mjs", 'package left-pad from a.mjs at null'],
    ["Error: Cannot find module 'left-pad'", 'package left-pad from null at null'],
    ["Cannot find module '@acme/kit/deep'", 'package @acme/kit/deep from null at null'],
    ["Cannot find module '@/user'", 'local @/user from null at user'],
    [
      "src/a.ts(3,5): error TS2307: Cannot find module './user' or its corresponding type declarations.",
      'local ./user from src/a.ts at src/user',
    ],
    [
      'Failed to resolve import "./user" from "test/a.test.ts". Does the file exist?',
      'local ./user from test/a.test.ts at test/user',
    ],
    ["ModuleNotFoundError: No module named 'src.user'", 'local src.user from null at src/user'],
    ["No module named 'auth.user'", 'local auth.user from null at src/auth/user'],
    ["No module named 'app'", 'local app from null at app'],
    ["No module named 'yaml'", 'package yaml from null at null'],
    ['/usr/bin/python3: No module named pytest', 'package pytest from null at null'],
    [
      'a.go:3:2: package shop/internal/user is not in std',
      'local shop/internal/user from null at internal/user',
    ],
    [
      'a.go:3:2: no required module provides package github.com/x/y; to add it:',
      'package github.com/x/y from null at null',
    ],
    [
      'no required module provides package example.com/shop/internal/user',
      'local example.com/shop/internal/user from null at internal/user',
    ],
    ['error[E0432]: unresolved import `crate::user`', 'local crate::user from null at src/user'],
    ['error[E0432]: unresolved import `auth::user`', 'local auth::user from null at src/auth/user'],
    ['use of unresolved module or unlinked crate `serde`', 'package serde from null at null'],
    ['error[E0583]: file not found for module `user`', 'local user from null at src/user'],
    [
      'error: package com.acme.user does not exist',
      'local com.acme.user from null at src/main/java/com/acme/user',
    ],
    ['error: package org.junit does not exist', 'package org.junit from null at null'],
    [
      'LoadError: cannot load such file -- ./lib/nothere',
      'local ./lib/nothere from null at lib/nothere',
    ],
    ['cannot load such file -- shop/cart', 'local shop/cart from null at lib/shop/cart'],
    ['cannot load such file -- rack/test (LoadError)', 'package rack/test from null at null'],
    [
      "Could not find gem 'nokogiri (~> 1.15)' in locally installed gems.",
      'package nokogiri from null at null',
    ],
    [
      'Error: Class "Acme\\Cart\\Item" not found',
      'local Acme\\Cart\\Item from null at src/Cart/Item',
    ],
    ['Class "GuzzleHttp\\Client" not found', 'package GuzzleHttp\\Client from null at null'],
    ["Failed opening required './src/Sum.php'", 'local ./src/Sum.php from null at src/Sum'],
    [
      "The type or namespace name 'Cart' could not be found (are you missing",
      'local Cart from null at Cart',
    ],
    [
      "The type or namespace name 'Newtonsoft' could not be found",
      'package Newtonsoft from null at null',
    ],
    ['error: no matching package named `serde` found', 'package serde from null at null'],
  ])('%s', (text, expected) => {
    expect(find(text)).toEqual([expected])
  })

  it('knows the importing file by the failure where the message does not tell', () => {
    expect(find("Cannot find module './user'", 'test/a.test.js')).toEqual([
      'local ./user from test/a.test.js at test/user',
    ])
  })

  it('looks for a class beside the file that names it', () => {
    expect(find('cannot find symbol: class Cart', 'src/main/java/com/acme/Shop.java')).toEqual([
      'local Cart from src/main/java/com/acme/Shop.java at src/main/java/com/acme/Cart',
    ])
  })

  it('names each once, and nothing in a text without any', () => {
    expect(
      find("Cannot find module 'a'\nCannot find module 'b'\nCannot find module 'a'"),
    ).toHaveLength(2)
    expect(find('AssertionError: 1 != 2')).toEqual([])
  })

  it('reads any text', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            "Cannot find module '",
            "'",
            ' imported from ',
            '/',
            '..',
            'No module named ',
            '\n',
            'a',
          ),
        ),
        (parts) => {
          for (const { path } of missingModules(parts.join(''), [])) {
            expect(path?.startsWith('/') ?? false).toBe(false)
          }
        },
      ),
    )
  })
})

describe('the command that installs it', () => {
  it.each([
    ["Cannot find module 'left-pad/x'", [], 'npm install left-pad'],
    ["Cannot find package '@a/b/c'", ['pnpm-lock.yaml'], 'pnpm add @a/b'],
    ["Cannot find module 'x; rm -rf y'", [], 'npm install x'],
    ["Cannot find module '$(x)'", [], null],
    ["Cannot find module './user'", [], null],
    ["No module named 'yaml'", [], 'pip install pyyaml'],
    ["No module named 'requests.auth'", ['uv.lock'], 'uv add requests'],
    ['no required module provides package github.com/x/y', [], 'go get github.com/x/y'],
    ['unresolved import `serde::Serialize`', [], 'cargo add serde'],
    ['package org.junit does not exist', [], null],
    ['cannot load such file -- rack/test', [], 'gem install rack-test'],
    ['cannot load such file -- nokogiri', ['Gemfile'], 'bundle add nokogiri'],
    ['Class "GuzzleHttp\\Client" not found', [], 'composer require guzzlehttp/guzzle'],
    [
      "The type or namespace name 'Newtonsoft' could not be found",
      [],
      'dotnet add package Newtonsoft.Json',
    ],
  ])('%s', (text, files, expected) => {
    const [missing] = missingModules(text, files)
    expect(missing?.install).toBe(expected)
  })
})
