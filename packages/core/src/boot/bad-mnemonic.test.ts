import { createMnemonic } from '@sibyl/identity'
import { BootError } from '@sibyl/plugin'
import { recordedLogger } from '@sibyl/plugin/testing'
import { testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'

const valid = createMnemonic(12).reveal().split(' ')

test.each([
  ['a bad checksum', 'zoo '.repeat(12), 'The checksum of the 12 words is wrong (BIP-39)'],
  ['a word too few', valid.slice(1).join(' '), 'got 11'],
  ['a word that is not in the list', [...valid.slice(1), 'canary-word'].join(' '), 'Word 12 of 12'],
])('does not start with a mnemonic with %s, and shows no word of it', async (_, mnemonic, reason) => {
  const logger = recordedLogger()
  const error = await testApp({ plugins: [], logger, env: { ORACLE_MNEMONIC: mnemonic } }).catch(error => error)
  expect(error).toBeInstanceOf(BootError)
  const { problems } = error as BootError
  expect(problems).toMatchObject([
    { code: 'env_invalid', headline: "Core env validation failed for 'ORACLE_MNEMONIC'", variable: 'ORACLE_MNEMONIC' },
  ])
  expect(problems[0]?.lines[0]).toContain(reason)
  const shown = `${JSON.stringify(problems)}${JSON.stringify(logger.lines)}${String(error.stack)}`
  expect(shown).toContain(reason)
  for (const word of ['zoo', 'canary-word', ...(reason === 'got 11' ? [valid.join(' ')] : [])])
    expect(shown).not.toContain(word)
})
