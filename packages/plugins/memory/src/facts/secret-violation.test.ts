import { entropyToMnemonic } from '@scure/bip39'
import { createMnemonic } from '@sibyl/identity'
import { describe, expect, test } from 'vitest'
import { secretViolation } from './secret-violation.ts'

const words = createMnemonic(12).reveal()

test.each([
  [words, 'a recovery phrase'],
  [`my wallet: ${createMnemonic(24).reveal().toUpperCase()}!`, 'a recovery phrase'],
  [`1. ${words.split(' ').join(' 2. ')}`, 'a recovery phrase'],
  [JSON.stringify(words.split(' ')), 'a recovery phrase'],
  [words.split(' ').join(' - '), 'a recovery phrase'],
  [
    words
      .split(' ')
      .map((word, place) => `#${place + 1}: ${word}`)
      .join(' '),
    'a recovery phrase',
  ],
  [
    words
      .split(' ')
      .join(', ')
      .replace(/, (\w+)$/, ' and $1'),
    'a recovery phrase',
  ],
  ['the seed phrase is legal winner thank', 'a recovery phrase'],
  ['-----BEGIN OPENSSH PRIVATE KEY----- b3Bl', 'a key or token'],
  [`use sk-proj-${'a1'.repeat(20)} for it`, 'a key or token'],
  [`ghp_${'Ab3'.repeat(12)}`, 'a key or token'],
  ['AKIAIOSFODNN7EXAMPLE', 'a key or token'],
  [`0x${'0123456789abcdef'.repeat(4)}`, 'a key or token'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc', 'a key or token'],
  ['my card is 4111 1111 1111 1111', 'a card number'],
  ['5500-0000-0000-0004 until May', 'a card number'],
  ['3782 822463 10005', 'a card number'],
  ['my card: 4111111111111111', 'a card number'],
  ['visa 4111 1111 1111 1111 12/27 123', 'a card number'],
  ['my PIN is 4711', 'a PIN'],
  ['TAN 482910', 'a PIN'],
  ['the pin code of the bank: 92831', 'a PIN'],
  ['my password is hunter2', 'a password'],
  ['Password: "correct horse"', 'a password'],
])('%j has a secret in it', async (text, violation) => {
  expect(await secretViolation(text)).toBe(violation)
})

test.each([
  'Ada is allergic to nuts',
  'The password is in the red book',
  'Ada pins her hair up at 7 in the morning',
  'Order number 4111 1111 1111 1112',
  'Her phone number is +260 971 234 567',
  'The meter shows 1234567890123',
  'The meter shows 3000000000004',
  'The phone has the IMEI 490154203237518',
  'The token for the meter was 4111 1111 1111 1111 1234',
  'Call +4111 1111 1111 11',
  'Mrs Tan lives at 1204 Main Street',
  'The tan sofa cost 450 dollars',
  'Her password manager is 1Password',
  'The old teacher walks every morning along the river with his brown dog and buys fresh bread from the bakery',
  'commit 3f2504e04f8911d39a0c0305e82c3301',
  'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK',
  'Skype: sk-nobody-has-such-a-long-name-here',
  'He keeps the key under the mat',
  '她每天早上沿着河边散步，带着她的狗去市场买新鲜的面包和牛奶，然后回家给孩子们做早饭',
  '私たちは毎朝川沿いを歩いて、市場で新しいパンと牛乳を買い、家に帰って朝ごはんを作ります',
  'El perro de mi vecina corre todas las mañanas por el parque y luego duerme bajo el árbol grande del jardín',
  'Le chien de ma voisine court tous les matins dans le parc, puis il dort sous le grand arbre du jardin',
  'The file test_results_of_2026_november lies in pat.documents.2026.november',
  'Order API-12 of the shop, and test_case_seven of live_music_evenings_at_home',
  'Write to https://ada@example.org:8080/path, or see hooks.slack.com for more',
])('%j has none', async text => {
  expect(await secretViolation(text)).toBeUndefined()
})

const lists = {
  czech: () => import('@scure/bip39/wordlists/czech.js'),
  english: () => import('@scure/bip39/wordlists/english.js'),
  french: () => import('@scure/bip39/wordlists/french.js'),
  italian: () => import('@scure/bip39/wordlists/italian.js'),
  japanese: () => import('@scure/bip39/wordlists/japanese.js'),
  korean: () => import('@scure/bip39/wordlists/korean.js'),
  portuguese: () => import('@scure/bip39/wordlists/portuguese.js'),
  'simplified-chinese': () => import('@scure/bip39/wordlists/simplified-chinese.js'),
  spanish: () => import('@scure/bip39/wordlists/spanish.js'),
  'traditional-chinese': () => import('@scure/bip39/wordlists/traditional-chinese.js'),
}

describe.each(Object.entries(lists))('a recovery phrase in %s', (language, load) => {
  test.each([16, 20, 24, 28, 32])('of %i bytes is found', async bytes => {
    const { wordlist } = await load()
    const entropy = Uint8Array.from({ length: bytes }, (_, place) => (place * 37 + bytes * 11) % 256)
    const phrase = entropyToMnemonic(entropy, wordlist).replaceAll('\u3000', ' ')
    const separate = phrase.split(' ')
    const without = phrase.normalize('NFD').replaceAll(/[\u0300-\u036f]/g, '')
    const forms = [phrase, phrase.normalize('NFC').toUpperCase(), separate.join('\u3000'), separate.join(', '), without]
    const numbered = separate.map((word, place) => `${place + 1}. ${word}`).join(' ')
    for (const text of [...forms, numbered, `my wallet = ${phrase}!`]) {
      expect(await secretViolation(text)).toBe('a recovery phrase')
    }
    if (language.includes('chinese')) expect(await secretViolation(`${separate.join('')}。`)).toBe('a recovery phrase')
  })
})

const some = 'a1B2c3D4e5F6g7H8i9J0'
const hex = '0123456789abcdef0123456789abcdef'
test.each([
  `sk-ant-api03-${some}${some}`,
  `glpat-${some}`,
  `glrt-${some}`,
  `npm_${some}${some}`,
  `pypi-AgEIcHlwaS5vcmc${some}`,
  `dckr_pat_${some}${some}`,
  `dop_v1_${hex}${hex}`,
  `hvs.${some}${some}`,
  `hf_${some}${some}`,
  `SG.${some}.${some}${some}`,
  `shpat_${hex}`,
  `sq0csp-${some}${some}`,
  `whsec_${some}${some}`,
  `sk_live_${some}`,
  `xapp-1-A012-${some}`,
  `lin_api_${some}${some}`,
  `pscale_tkn_${some}${some}`,
  `GOCSPX-${some}`,
  `ya29.${some}${some}`,
  `dp.pt.${some}${some}`,
  `glsa_${some}${some}`,
  `NRAK-${some.toUpperCase()}`,
  `PMAK-${some}-${hex}`,
  `tskey-auth-${some}`,
  `ATATT3xFfGF0${some}`,
  `AGE-SECRET-KEY-1${some.toUpperCase()}`,
  `SK${hex}`,
  `${hex}-us12`,
  `123456789:AA${'Ab3d'.repeat(8)}x`,
  `https://hooks.slack.com/services/T0123/B0123/${some}`,
  `access-production-01234567-89ab-cdef-0123-456789abcdef`,
  'postgres://ada:s3cret@db.example.org/all',
])('%s is a key or token', async token => {
  expect(await secretViolation(`Use ${token} for it`)).toBe('a key or token')
})
