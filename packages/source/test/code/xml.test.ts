import { describe, expect, it } from 'vitest'
import { elements, tags } from '../../code/xml.ts'

const kinds = (xml: string) => [...tags(xml)].map(({ name, kind }) => `${kind} ${name}`)

describe('the tags of a text', () => {
  it.each<[string, string, readonly string[]]>([
    ['a tag, its end, an empty one', '<a><b/></a>', ['start a', 'empty b', 'end a']],
    ['a bracket in quotes', `<a x="1 > 2" y='/>'><b></a>`, ['start a', 'start b', 'end a']],
    ['comments, sections, instructions', '<?xml?><!--<a>--><![CDATA[<b>]]><c>', ['start c']],
    ['an element that is never closed', '<a><b x="', ['start a']],
  ])('are read: %s', (_, xml, expected) => {
    expect(kinds(xml)).toEqual(expected)
  })

  it('may hold as many attributes as fit into a file', () => {
    const xml = `<a ${'x="" '.repeat(2_500_000)}><b>text</b>`
    expect(kinds(xml)).toEqual(['start a', 'start b', 'end b'])
  })

  it('lead to the text directly inside', () => {
    const [, inner] = elements('<a><b c="&lt;">x<![CDATA[<y>]]></b></a>')
    expect([inner?.name, inner?.attributes.get('c'), inner?.text]).toEqual(['b', '<', 'x<y>'])
  })
})
