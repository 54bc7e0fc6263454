import { inspect } from 'node:util'
import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
import { createMnemonic, signingKeyFromMnemonic } from '@sibyl/identity'
import { beforeAll, expect, test } from 'vitest'
import { type ChainLibraries, loadLibraries } from '../libraries/load-libraries.ts'
import { addressOf } from '../testing/bech32.test.helper.ts'
import { address, mnemonicOf, words } from '../testing/open-registry.test.helper.ts'
import { chainAccountOf } from './chain-account.ts'

let libraries: ChainLibraries
beforeAll(async () => {
  libraries = await loadLibraries()
})

const publicKeyOf = (text: string): Uint8Array => {
  const key = HDKey.fromMasterSeed(mnemonicToSeedSync(text)).derive("m/44'/118'/0'/0/0").publicKey
  if (!key) throw new Error('no key')
  return key
}

test('the words that everybody knows have the address that everybody knows', async () => {
  expect(addressOf(publicKeyOf(words), 'cosmos')).toBe('cosmos19rl4cm2hmr8afy4kldpxz3fka4jguq0auqdal4')
  const account = await chainAccountOf(mnemonicOf(words), libraries)
  expect(account.address).toBe(address)
  expect(account.address.slice(3, -6)).toBe('19rl4cm2hmr8afy4kldpxz3fka4jguq0a')
})

test.each([12, 24] as const)('an independent derivation has the same address from %i words', async count => {
  const mnemonic = createMnemonic(count)
  const account = await chainAccountOf(mnemonic, libraries)
  expect(account.address).toBe(addressOf(publicKeyOf(mnemonic.reveal())))
  expect(account.keyDid).toBe((await signingKeyFromMnemonic(mnemonic)).did)
  expect(account.did).toMatch(/^did:x:zQ3sh[1-9A-HJ-NP-Za-km-z]{44}$/)
})

test('printing an account shows none of its words', async () => {
  const account = await chainAccountOf(mnemonicOf(words), libraries)
  for (const text of [inspect(account, { depth: 9, showHidden: true }), JSON.stringify(account), String(account)])
    expect(text).not.toContain('abandon')
})
