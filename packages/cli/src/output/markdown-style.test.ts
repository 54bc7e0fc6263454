import { expect, test } from 'vitest'
import { markdownStyle } from './markdown-style.ts'
import { TextWrapper } from './text-wrapper.ts'

const mark = (name: string) => (text: string) => `<${name}>${text}</${name}>`
const styles = { bold: mark('b'), accent: mark('c'), dim: mark('d'), warning: String, error: String }

/** Returns the text as a terminal shows it; it arrives in pieces of two characters. */
const shown = (text: string, columns = 80) => {
  const style = markdownStyle(styles)
  let out = ''
  const wrapper = new TextWrapper(
    part => {
      out += style(part)
    },
    '',
    columns,
  )
  for (const piece of text.match(/.{1,2}/gs) ?? []) wrapper.push(piece)
  wrapper.flush()
  return out
}

test.each([
  ['It is **very dry**, and `sibyl dev` runs.', 'It is <b>very</b> <b>dry,</b> and <c>sibyl</c> <c>dev</c> runs.'],
  ['# Rain today\nNone.', '<b>Rain</b> <b>today</b>\nNone.'],
  ['* one\n- two', '• one\n• two'],
  ['```sh\nls **x**\n```\n**y**', '<d>```sh</d>\n<c>ls</c> <c>**x**</c>\n<d>```</d>\n<b>y</b>'],
  ['2**3 is 8, a * b - c # d', '2**3 is 8, a * b - c # d'],
  ['**open\nnext', '<b>open</b>\nnext'],
])('shows %j', (text, expected) => {
  expect(shown(text)).toBe(expected)
})

test('leaves the text as it is without colors', () => {
  const style = markdownStyle({ ...styles, bold: String })
  expect(style('**dry**')).toBe('**dry**')
})
