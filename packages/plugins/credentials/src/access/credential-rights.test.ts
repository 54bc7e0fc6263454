import type { Actor } from '@sibyl/plugin'
import { expect, test } from 'vitest'
import { createCredentialRights } from './credential-rights.ts'

const own = { did: 'did:key:z6MkOracle', publicDid: 'did:web:oracle.example' }
const controller = 'did:key:z6MkController'
const operator = 'did:key:z6MkOperator'
const stranger = 'did:key:z6MkStranger'

const rightsIn = (mode: 'open' | 'delegated') =>
  createCredentialRights({
    access: { mode, isTrusted: did => [controller, own.did, own.publicDid].includes(did) },
    grants: { isOfOperator: ({ did }) => did === operator },
    identity: own,
    directory: undefined,
  })

const may = (mode: 'open' | 'delegated', actor: Actor): boolean => rightsIn(mode).mayAlways(actor, 'credentials/issue')

test.each<[string, Actor, boolean, boolean]>([
  ['a stranger with every ability', { did: stranger, via: 'ucan', scopes: ['*'] }, false, true],
  ['a bearer of a stranger', { did: stranger, via: 'bearer', scopes: ['credentials/*'] }, false, true],
  ['a stranger who may chat', { did: stranger, via: 'ucan', scopes: ['chat/*'] }, false, false],
  ['a controller who chats', { did: controller, via: 'ucan', scopes: ['chat/send'] }, false, false],
  ['a bearer of a controller for chatting', { did: controller, via: 'bearer', scopes: ['chat/*'] }, false, false],
  ['a controller who issues', { did: controller, via: 'ucan', scopes: ['credentials/*'] }, true, true],
  ['the oracle itself, for chatting', { did: own.did, via: 'ucan', scopes: ['chat/*'] }, false, false],
  ['the oracle itself', { did: own.did, via: 'ucan', scopes: ['credentials/issue'] }, true, true],
  ['a key of the oracle that writes', { did: own.did, via: 'api-key', scopes: ['read', 'write'] }, true, true],
  ['a key of the oracle without a mnemonic', { did: own.publicDid, via: 'api-key', scopes: ['write'] }, true, true],
  ['a key of the oracle that reads', { did: own.did, via: 'api-key', scopes: ['read'] }, false, false],
  ['a key of a stranger that writes', { did: stranger, via: 'api-key', scopes: ['read', 'write'] }, false, false],
  ['a key that was given it by name', { did: stranger, via: 'api-key', scopes: ['credentials/issue'] }, true, true],
  ['the operator', { did: own.did, via: 'operator', scopes: ['*'] }, true, true],
  ['an operator who signed in', { did: operator, via: 'bearer', scopes: ['*', 'operator/write'] }, true, true],
  ['a user with a code of the operator', { did: operator, via: 'bearer', scopes: ['*'] }, false, true],
  [
    'a stranger who claims to be an operator',
    { did: stranger, via: 'bearer', scopes: ['*', 'operator/write'] },
    false,
    true,
  ],
  ['a phone', { did: stranger, via: 'ussd', scopes: ['*'] }, false, false],
  ['a room', { did: controller, via: 'matrix', scopes: ['*'] }, false, false],
  ['a task of a controller', { did: controller, via: 'task', scopes: ['*'] }, false, false],
])('%s', (_, actor, inOpen, inDelegated) => {
  expect([may('open', actor), may('delegated', actor)]).toEqual([inOpen, inDelegated])
})

test('the oracle is written down under its did:web, which outlives its keys', () => {
  const rights = rightsIn('open')
  expect(rights.nameOf({ did: own.did, via: 'api-key', scopes: [] })).toBe(own.publicDid)
  expect(rights.nameOf({ did: stranger, via: 'api-key', scopes: [] })).toBe(stranger)
})

test('the party that issued a credential by a decision may read it, and another user may not', async () => {
  const { mayRead } = rightsIn('open')
  const credential = { subject: 'did:web:stove.example', issuedBy: stranger }
  const scopes = ['credentials/read']
  expect(await mayRead({ did: stranger, via: 'ucan', scopes }, credential)).toBe(true)
  expect(await mayRead({ did: 'did:key:z6MkOther', via: 'ucan', scopes }, credential)).toBe(false)
})
