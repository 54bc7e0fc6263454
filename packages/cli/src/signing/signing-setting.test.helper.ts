import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSigningKey } from '@sibyl/identity'
import { reservePort } from '@sibyl/testing'
import { keepSigningPort } from './listen.ts'
import type { SigningRequest } from './signing-session.ts'

/** A home of its own, with a port that is free; `remove` takes it away. */
export const signingHome = async (): Promise<{ home: string; port: number; remove: () => Promise<void> }> => {
  const home = await mkdtemp(join(tmpdir(), 'sibyl-signing-'))
  const port = await reservePort()
  await keepSigningPort(home, port)
  return { home, port, remove: () => rm(home, { recursive: true, force: true }) }
}

/** What `sibyl login` would ask for. */
export const signingRequest = (changes: Partial<SigningRequest> = {}): SigningRequest => ({
  registry: { title: 'the devnet on this computer', did: createSigningKey().did },
  audience: createSigningKey().did,
  abilities: ['entities/*', 'auth/impersonate'],
  lifetimeSeconds: 43_200,
  ...changes,
})
