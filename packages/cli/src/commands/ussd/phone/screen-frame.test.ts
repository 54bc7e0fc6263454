import { describe, expect, it } from 'vitest'
import { displayWidth } from '../../../output/display-width.ts'
import { stylesFor } from '../../../output/styles.ts'
import { drawScreen } from './screen-frame.ts'

const { stdout } = process
const plain = stylesFor(stdout, { NO_COLOR: '1' })
const welcome = 'Welcome to Field Oracle\n1. Know More\n2. Account Menu\n*. Exit'

describe('a phone’s screen', () => {
  it('has a frame with its length in septets', () => {
    expect(drawScreen(welcome, 80, plain)).toEqual([
      '┌─────────────────────────┐',
      '│ Welcome to Field Oracle │',
      '│ 1. Know More            │',
      '│ 2. Account Menu         │',
      '│ *. Exit                 │',
      '└───────────────── 60/182 ┘',
    ])
  })

  it('counts code units with the first character outside GSM-7, and aligns wide ones', () => {
    const lines = drawScreen('你好 👍\n1. Ndiyo', 80, plain)
    expect(lines.at(-1)).toContain('14/80 UCS-2')
    expect(new Set(lines.map(displayWidth)).size).toBe(1)
  })

  it('counts the extension table twice', () => {
    expect(drawScreen('{€}', 80, plain).at(-1)).toContain(' 6/182 ')
  })

  it.each([26, 30, 80, 200])('stays within %i columns, wrapped between words', columns => {
    const text = `${'Delivery takes three days. '.repeat(6)}\n${'x'.repeat(60)}`
    for (const line of drawScreen(text, columns, plain)) expect(displayWidth(line)).toBeLessThanOrEqual(columns)
    expect(drawScreen('Delivery takes three days.', 26, plain)[1]).toBe('│ Delivery takes three   │')
  })

  it('has no frame if there is no room for one', () => {
    expect(drawScreen(welcome, 20, plain)).toEqual([
      'Welcome to Field',
      'Oracle',
      '1. Know More',
      '2. Account Menu',
      '*. Exit',
      '60/182',
    ])
  })

  it('shows no control characters, and counts them', () => {
    const lines = drawScreen('a\u001b[2J\u202eb\r\nc\td', 80, plain)
    expect(lines.slice(1, 3)).toEqual(['│ a[2Jb                  │', '│ c d                    │'])
    expect(lines.at(-1)).toContain('12/80 UCS-2')
  })

  it('warns in color of a text that is too long', () => {
    const styles = { ...plain, error: (text: string) => `!${text}!` }
    expect(drawScreen('x'.repeat(182), 80, styles).at(-1)).not.toContain('!')
    expect(drawScreen('x'.repeat(183), 80, styles).at(-1)).toContain('!183/182!')
  })
})
