import { inspect } from 'node:util'
import { mnemonicToEntropy, validateMnemonic } from 'bip39'
import { describe, expect, it } from 'vitest'
import { createMnemonic, parseMnemonic } from './mnemonic.ts'

const twelve = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
const twentyFour = `${'abandon '.repeat(23)}art`

describe('parseMnemonic', () => {
  // From the test vectors of BIP-39.
  it.each([
    `${'abandon '.repeat(11)}about`,
    twelve,
    `${'zoo '.repeat(11)}wrong`,
    twentyFour,
    `${'zoo '.repeat(23)}vote`,
    'all hour make first leader extend hole alien behind guard gospel lava path output census museum junior mass reopen famous sing advance salt reform',
  ])('reads "%s"', words => {
    const parsed = parseMnemonic(words)
    expect(parsed.ok && parsed.mnemonic.reveal()).toBe(words)
  })

  it('does not mind case, white space and Unicode form', () => {
    const fullWidth = twelve.replaceAll(/[a-z]/g, letter => String.fromCodePoint(letter.codePointAt(0)! + 0xfee0))
    for (const text of [
      `  ${twelve.toUpperCase().replaceAll(' ', ' \n\t ')}\r\n`,
      fullWidth.replaceAll(' ', '\u3000'),
    ]) {
      const parsed = parseMnemonic(text)
      expect(parsed.ok && parsed.mnemonic.reveal()).toBe(twelve)
    }
  })

  it.each([
    ['nothing', '', 'got 0'],
    ['one word', 'legal', 'got 1'],
    ['eleven words', twelve.split(' ').slice(1).join(' '), 'got 11'],
    ['fifteen words with a valid checksum', `${'abandon '.repeat(14)}address`, 'got 15'],
    ['twenty-five words', `${twentyFour} art`, 'got 25'],
    ['a megabyte', 'legal '.repeat(200_000), 'longer'],
  ])('refuses %s by its count', (_, text, message) => {
    expect(parseMnemonic(text)).toEqual({
      ok: false,
      reason: 'mnemonic_word_count',
      message: expect.stringContaining(message),
    })
  })

  it('names an unknown word by its position', () => {
    expect(parseMnemonic(twelve.replace('sausage', 'sossidge'))).toEqual({
      ok: false,
      reason: 'mnemonic_unknown_word',
      message: expect.stringContaining('Word 6 of 12'),
    })
  })

  it.each(['constructor', '__proto__', 'prototype', '0'])('knows no word "%s"', word => {
    expect(parseMnemonic(twelve.replace('legal', word))).toMatchObject({ reason: 'mnemonic_unknown_word' })
  })

  it.each([
    ['two words swapped', 'winner legal thank year wave sausage worth useful legal winner thank yellow'],
    ['another last word', twelve.replace(/yellow$/, 'year')],
    ['24 words with a wrong one', twentyFour.replace('art', 'abandon')],
  ])('refuses %s by the checksum', (_, text) => {
    expect(parseMnemonic(text)).toMatchObject({ ok: false, reason: 'mnemonic_checksum' })
  })

  it('never repeats a word in a refusal', () => {
    for (const text of [`${twelve} legal`, twelve.replace('sausage', 'sossidge'), twelve.replace(/yellow$/, 'year')]) {
      const shown = JSON.stringify(parseMnemonic(text))
      for (const word of [...twelve.split(' '), 'sossidge']) expect(shown).not.toMatch(new RegExp(`\\b${word}\\b`))
    }
  })
})

describe('createMnemonic', () => {
  it.each([12, 24] as const)('makes %i words that bip39 accepts, new ones each time', count => {
    const made = Array.from({ length: 50 }, () => createMnemonic(count).reveal())
    expect(new Set(made.map(words => mnemonicToEntropy(words))).size).toBe(50)
    for (const words of made) {
      expect(words.split(' ')).toHaveLength(count)
      expect(validateMnemonic(words)).toBe(true)
      expect(parseMnemonic(words).ok).toBe(true)
    }
  })
})

it('keeps its words out of everything that prints', () => {
  const mnemonic = createMnemonic(12)
  const shown = [
    inspect(mnemonic, { showHidden: true, depth: null }),
    JSON.stringify({ mnemonic }),
    `${mnemonic}`,
    JSON.stringify({ ...mnemonic }),
    JSON.stringify(structuredClone({ ...mnemonic })),
  ].join()
  expect(shown).toContain('Mnemonic(12 words)')
  for (const word of mnemonic
    .reveal()
    .split(' ')
    .filter(word => !'mnemonic words'.includes(word))) {
    expect(shown).not.toContain(word)
  }
})
