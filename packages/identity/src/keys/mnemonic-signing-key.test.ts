import { createHmac } from 'node:crypto'
import { mnemonicToSeedSync } from 'bip39'
import { expect, it } from 'vitest'
import { createMnemonic, type Mnemonic, parseMnemonic } from './mnemonic.ts'
import { signingKeyFromMnemonic } from './mnemonic-signing-key.ts'

function known(text: string): Mnemonic {
  const parsed = parseMnemonic(text)
  if (!parsed.ok) throw new Error(parsed.message)
  return parsed.mnemonic
}

it.each([
  ['12 words', `${'abandon '.repeat(11)}about`, 'did:key:z6MkgHyMD2DpeupVC134bwD8WjYuRosxrqEpETihKurQwh1N'],
  ['24 words', `${'abandon '.repeat(23)}art`, 'did:key:z6Mkm7d7npwhSxKUBaS5Wfcase58teH7wJan7F9Xv82HqN2g'],
])('gives the same DID for the same %s for ever', async (_, words, did) => {
  expect((await signingKeyFromMnemonic(known(words))).did).toBe(did)
  expect((await signingKeyFromMnemonic(known(words.toUpperCase()))).did).toBe(did)
})

it("takes the seed of bip39 down m/44'/118'/0'/0'", async () => {
  const mnemonic = createMnemonic(24)
  let node = createHmac('sha512', 'ed25519 seed').update(mnemonicToSeedSync(mnemonic.reveal())).digest()
  for (const step of ['8000002c', '80000076', '80000000', '80000000']) {
    const data = Buffer.concat([Buffer.of(0), node.subarray(0, 32), Buffer.from(step, 'hex')])
    node = createHmac('sha512', node.subarray(32)).update(data).digest()
  }
  const key = await signingKeyFromMnemonic(mnemonic)
  expect(Buffer.from(key.exportSecret())).toEqual(node.subarray(0, 32))
})
