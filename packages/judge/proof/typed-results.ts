/** Other results of functions in languages that declare what a function returns: Go, Rust and Java. */
import { posix } from 'node:path'
import {
  blank,
  closingBracket,
  lineCounter,
  maskCurly,
  splitAtCommas,
} from '../../source/source.ts'
import { type RangeEdit, replaceRanges } from './altered-value.ts'
import { testModules } from './rust-tests.ts'

interface TypedFunction {
  /** As declared, each without its name; none for a function that returns nothing. */
  readonly results: readonly string[]
  readonly start: number
  /** Offsets of its body's brackets. */
  readonly open: number
  readonly close: number
  readonly masked: string
}

interface TypedLanguage {
  /** Ends before the parameters; the first group, if any, holds the type before the name. */
  readonly head: RegExp
  /** Reads the declaration between the parameters and the body. */
  readonly results: (between: string, type: string | undefined) => readonly string[]
  /** Makes the function return something else; `null` where a type of its results has no known other value. */
  readonly alter: (fn: TypedFunction, text: string, path: string) => readonly RangeEdit[] | null
  /** Ends the function at its start: with a failure, and without. */
  readonly throws: string
  readonly returns: string
  /** Ends the function with values of these types that hold nothing, where the language has them. */
  readonly zero?: (types: readonly string[]) => string
  /** Adds the declarations that the altered code needs. */
  readonly declare: (altered: string, path: string) => string
}

const whole = /^(?:int(?:8|16|32|64)?|rune|long|short|byte|Integer|Long)$/
const goUnsigned = /^(?:uint(?:8|16|32|64|ptr)?|byte)$/

/** Blanks what each expression matches with the block behind it: its returns are not the function's. */
function withoutInner(masked: string, inner: RegExp): string {
  let left = masked
  for (const { index, 0: found } of masked.matchAll(inner)) {
    const open = masked.indexOf('{', index + found.length - 1)
    const close = open < 0 ? -1 : closingBracket(masked, open)
    if (close < 0) return left
    left = left.slice(0, open) + blank(left.slice(open, close)) + left.slice(close)
  }
  return left
}

const goName = (path: string): string => `zzOther_${posix.basename(path).replace(/\W/g, '_')}`

/** A function that copies a value and alters what it holds. It leaves types of other packages alone: a lock, a time. */
const goObjects = (name: string): string => `
func ${name}_of(v interface{}) interface{} {
	c := zzreflect.New(zzreflect.TypeOf(v)).Elem()
	c.Set(zzreflect.ValueOf(v))
	if !${name}_in(c, 0) {
		panic("other")
	}
	return c.Interface()
}

func ${name}_in(c zzreflect.Value, at int) bool {
	switch c.Kind() {
	case zzreflect.Bool:
		c.SetBool(!c.Bool())
	case zzreflect.Int, zzreflect.Int8, zzreflect.Int16, zzreflect.Int32, zzreflect.Int64:
		c.SetInt(c.Int()*-2 - 1)
	case zzreflect.Uint, zzreflect.Uint8, zzreflect.Uint16, zzreflect.Uint32, zzreflect.Uint64:
		c.SetUint(c.Uint() + 1)
	case zzreflect.Float32, zzreflect.Float64:
		c.SetFloat(c.Float()*-2 - 1)
	case zzreflect.String:
		c.SetString(c.String() + "~")
	case zzreflect.Slice:
		c.Set(zzreflect.Append(c.Slice3(0, c.Len(), c.Len()), zzreflect.Zero(c.Type().Elem())))
	case zzreflect.Ptr:
		if c.IsNil() {
			return false
		}
		p := zzreflect.New(c.Type().Elem())
		p.Elem().Set(c.Elem())
		if !${name}_in(p.Elem(), at) {
			return false
		}
		c.Set(p)
	case zzreflect.Struct:
		home := zzreflect.TypeOf(${name}{}).PkgPath()
		isOther := false
		for i := 0; i < c.NumField() && at < ${deepestInGo} && (c.Type().PkgPath() == "" || c.Type().PkgPath() == home); i++ {
			field := c.Field(i)
			field = zzreflect.NewAt(field.Type(), zzunsafe.Pointer(field.UnsafeAddr())).Elem()
			isOther = ${name}_in(field, at+1) || isOther
		}
		return isOther
	default:
		return false
	}
	return true
}
`

function otherInGo(type: string, path: string): string {
  if (type === 'error') return `if v == nil { return ${goName(path)}{} }; return nil`
  if (goUnsigned.test(type)) return 'return ^v'
  if (whole.test(type) || /^float(?:32|64)$/.test(type)) return 'return v*-2 - 1'
  if (type === 'string') return 'return v + "~"'
  if (type === 'bool') return 'return !v'
  if (type.startsWith('[]')) return `return append(v[:len(v):len(v)], *new(${type.slice(2)}))`
  return `return ${goName(path)}_of(v).(${type})`
}

const deepestInGo = 3

/** The end of the expression that starts here: a line's end that does not continue. */
function endOfGoValue(masked: string, from: number, limit: number): number {
  let at = from
  while (at < limit) {
    const char = masked[at] ?? ''
    if ('([{'.includes(char)) at = Math.max(at, closingBracket(masked, at))
    else if (char === ';' || char === '}') return at
    else if (char === '\n' && !/[,.+\-*/%&|<=>]\s*$/.test(masked.slice(from, at))) return at
    at += 1
  }
  return limit
}

const go: TypedLanguage = {
  head: /^func[ \t]+(?:\([^()\n]{0,200}\)[ \t]*)?\w+(?:\[[^\]\n]{0,200}\])?(?=\()/gm,
  results(between) {
    const list = between.startsWith('(') ? splitAtCommas(between.slice(1, -1)) : [between]
    const named = /^\w+\s+(?=\S)(?<!^(?:chan|func|map|struct|interface)\s+)/
    const all = list.map((each) => each.trim()).filter((each) => each !== '')
    // Of `a, b int`, a name takes the type behind it.
    const areNamed = all.some((each) => named.test(each))
    return all.map((each, at) => {
      const typed = areNamed ? all.slice(at).find((other) => named.test(other)) : each
      return (typed ?? each).replace(named, '')
    })
  },
  alter({ results, open, close, masked }, text, path) {
    const others = results.map((type) => otherInGo(type, path))
    if (others.length === 0) return null
    const body = withoutInner(masked.slice(open, close), /\bfunc\s*\(/g)
    const edits = [...body.matchAll(/\breturn\b[ \t]*/g)].map((match) => {
      const start = open + match.index + match[0].length
      const end = endOfGoValue(masked, start, close)
      const values = splitAtCommas(text.slice(start, end))
      // The values of a call, or those that the results' names hold.
      if (values.length !== results.length || values[0]?.trim() === '') return null
      const altered = values.map((value, index) => {
        const type = results[index]
        return `func(v ${type}) ${type} { ${others[index]} }(${value.trim()})`
      })
      return { start, end, text: altered.join(', ') }
    })
    const known = edits.filter((edit) => edit !== null)
    return known.length === 0 || known.length < edits.length ? null : known
  },
  throws: ' panic("other");',
  returns: ' return;',
  zero(types) {
    const values = types.map((_, index) => `zz${index}`)
    const declared = types.map((type, index) => ` var ${values[index]} ${type};`)
    return ` if true {${declared.join('')} return ${values.join(', ')} };`
  },
  declare(altered, path) {
    const name = goName(path)
    const more = `\ntype ${name} struct{}\n\nfunc (${name}) Error() string { return "other" }\n`
    if (!altered.includes(`${name}_of(`)) return altered + more
    const imports = '; import zzreflect "reflect"; import zzunsafe "unsafe"'
    const clause = /^package[ \t]+\w+/m.exec(maskCurly(altered, 'go'))
    if (clause === null) return altered + more + goObjects(name)
    const at = clause.index + clause[0].length
    return altered.slice(0, at) + imports + altered.slice(at) + more + goObjects(name)
  },
}

function otherInRust(type: string): string | null {
  if (/^i(?:8|16|32|64|128|size)$/.test(type)) return 'zz_is.wrapping_mul(-2).wrapping_sub(1)'
  if (/^u(?:8|16|32|64|128|size)$/.test(type) || type === 'bool') return '!zz_is'
  if (/^f(?:32|64)$/.test(type)) return 'zz_is * -2.0 - 1.0'
  if (type === 'String') return 'zz_is + "~"'
  if (/^Option</.test(type)) return 'if zz_is.is_some() { None } else { panic!("other") }'
  if (!/^Vec</.test(type)) return null
  return '{ let mut zz_is = zz_is; if zz_is.pop().is_none() { panic!("other") } zz_is }'
}

const rust: TypedLanguage = {
  head: /(?<!\basync[ \t]{1,4}(?:unsafe[ \t]{1,4})?)\bfn[ \t]+\w+(?:<[^;{}()]{0,300}>)?(?=\()/g,
  results: (between) => /^->\s*([\s\S]*?)\s*(?:\bwhere\b|$)/.exec(between)?.slice(1) ?? [],
  alter({ results: [type = ''], open, close }) {
    const other = otherInRust(type)
    if (other === null) return null
    return [
      { start: open + 1, end: open + 1, text: ` let zz_is = (move || -> ${type} {` },
      { start: close, end: close, text: ` })(); ${other} ` },
    ]
  },
  throws: ' if true { panic!("other") }',
  returns: ' if true { return; }',
  declare: (altered) => altered,
}

function otherInJava(type: string, value: string): string | null {
  if (whole.test(type) || /^(?:double|float|Double|Float)$/.test(type)) {
    const narrow = /^(?:int|short|byte|float)$/.test(type) ? `(${type}) ` : ''
    return `${narrow}((${value}) * -2 - 1)`
  }
  if (/^[bB]oolean$/.test(type)) return `!(${value})`
  return type === 'String' ? `(${value}) + "~"` : null
}

const java: TypedLanguage = {
  head: /(?<![\w.@$])(?!(?:return|new|else|throw|case|yield|assert|public|private|protected|static|final|abstract|synchronized|native|default|class|record|enum|interface)\b)([A-Za-z_$][\w.$]{0,80}(?:<[^;(){}]{0,200}>)?(?:\[\])*)\s+[a-z_$]\w{0,80}\s*(?=\()/g,
  results: (_, type) => (type === undefined || type === 'void' ? [] : [type]),
  alter({ results: [type = ''], open, close, masked }, text) {
    if (otherInJava(type, '') === null) return null
    const inner = /->\s*\{|\bnew\s+[\w.<>, ]{1,80}\([^(){};]{0,200}\)\s*\{/g
    const body = withoutInner(masked.slice(open, close), inner)
    return [...body.matchAll(/\breturn\b([^;]+);/g)].map((match) => {
      const start = open + match.index + 'return'.length
      const end = open + match.index + match[0].length - 1
      return { start, end, text: ` ${otherInJava(type, text.slice(start, end).trim())}` }
    })
  },
  throws: ' if (true) throw new IllegalStateException();',
  returns: ' if (true) return;',
  declare: (altered) => altered,
}

const languages: Readonly<Record<string, TypedLanguage>> = { '.go': go, '.rs': rust, '.java': java }

/**
 * Makes the functions that contain one of these lines return another value of the same type, and fail if their
 * type has no known other value. Those that return nothing do nothing. `null` where nothing can be altered.
 *
 * @param lines 1-based; `null` selects all
 */
export function withOtherTypedResults(
  path: string,
  text: string,
  lines: ReadonlySet<number> | null,
): string | null {
  const language = languages[posix.extname(path)]
  if (language === undefined) return null
  const chosen = chosenIn(path, text, lines, language)
  const altered = chosen.map((fn) => ({ fn, edits: language.alter(fn, text, path) }))
  if (altered.every(({ edits }) => edits === null)) return null
  const { throws, returns } = language
  const all = altered.flatMap(({ fn: { open, results }, edits }) => {
    const ends = results.length === 0 ? returns : throws
    return edits ?? [{ start: open + 1, end: open + 1, text: ends }]
  })
  return language.declare(replaceRanges(text, all), path)
}

/**
 * Makes the functions that contain one of these lines do nothing, and return values that hold nothing. `null` in
 * languages without such values, and where there is no such function.
 *
 * @param lines 1-based; `null` selects all
 */
export function withZeroResults(
  path: string,
  text: string,
  lines: ReadonlySet<number> | null,
): string | null {
  const language = languages[posix.extname(path)]
  if (language?.zero === undefined) return null
  const { zero, returns } = language
  const edits = chosenIn(path, text, lines, language).map(({ open, results }) => {
    const ends = results.length === 0 ? returns : zero(results)
    return { start: open + 1, end: open + 1, text: ends }
  })
  return edits.length === 0 ? null : replaceRanges(text, edits)
}

function chosenIn(
  path: string,
  text: string,
  lines: ReadonlySet<number> | null,
  language: TypedLanguage,
): readonly TypedFunction[] {
  const lineAt = lineCounter(text)
  return functionsIn(path, text, language).filter(({ start, close }) => {
    const [first, last] = [lineAt(start), lineAt(close)]
    return lines === null || [...lines].some((line) => line >= first && line <= last)
  })
}

/** The functions that are in no other one, without Rust's unit tests. */
function functionsIn(
  path: string,
  text: string,
  { head, results }: TypedLanguage,
): readonly TypedFunction[] {
  const masked = maskCurly(text, posix.extname(path).slice(1))
  const tests = path.endsWith('.rs') ? testModules(text) : []
  const found: TypedFunction[] = []
  for (const match of masked.matchAll(head)) {
    const start = match.index
    const isInside = start < (found.at(-1)?.close ?? 0)
    if (isInside || tests.some(([from, to]) => start >= from && start < to)) continue
    const behind = closingBracket(masked, start + match[0].length) + 1
    if (behind === 0) return found
    const open = bodyAfter(masked, behind)
    if (open < 0) continue
    const close = closingBracket(masked, open)
    // What does not close here closes nowhere behind it.
    if (close < 0) return found
    const own = results(masked.slice(behind, open).trim(), match[1])
    found.push({ results: own, start, open, close, masked })
  }
  return found
}

/** The bracket that opens a function's body; -1 for a declaration without one. */
export function bodyAfter(masked: string, from: number): number {
  for (let at = from; at < masked.length; at += 1) {
    const char = masked[at] ?? ''
    if (char === ';') return -1
    const isType = /\b(?:interface|struct)\s*$/.test(masked.slice(Math.max(from, at - 12), at))
    if (char === '{' && !isType) return at
    if ('([{'.includes(char)) {
      const end = closingBracket(masked, at)
      if (end < 0) return -1
      at = end
    }
  }
  return -1
}
