#!/usr/bin/env node
'use strict'

// What npm links as `executor`. Every Node since 12 can read this file, so that one that is too old for
// the rest says so in a sentence instead of a syntax error. The build puts it beside cli.cjs.

const ranges = require('../package.json').engines.node.split('||').map(readRange)
const [major, minor] = process.versions.node.split('.').map(Number)

if (ranges.some(holds)) {
  require('./cli.cjs')
} else {
  const needed = ranges.map(describe).join(' or ')
  process.stderr.write(
    `executor needs ${needed}, and this is Node ${process.versions.node}: install a newer one, for example from https://nodejs.org.\n`,
  )
  process.exitCode = 2
}

/** Of `^22.18.0` or `>=24.11.0`. */
function readRange(text) {
  const [, sign, least, from] = /^(\^|>=)(\d+)\.(\d+)/.exec(text.trim())
  return { isOneMajor: sign === '^', major: Number(least), minor: Number(from) }
}

function holds(range) {
  if (major === range.major) return minor >= range.minor
  return !range.isOneMajor && major > range.major
}

function describe(range) {
  const least = `${range.major}.${range.minor} or newer`
  return range.isOneMajor ? `Node ${range.major} (${least})` : `Node ${least}`
}
