import { expect, test } from 'vitest'
import { oracleAddress } from './oracle-address.ts'

test.each([
  [{ PUBLIC_URL: 'https://a.example/x', PORT: 1 }, undefined, 'https://a.example/x', 'did:web:a.example:x'],
  [{ PUBLIC_URL: undefined, PORT: 3000 }, undefined, 'http://localhost:3000', 'did:web:localhost%3A3000'],
  [{ PUBLIC_URL: undefined, PORT: 0 }, 4321, 'http://localhost:4321', 'did:web:localhost%3A4321'],
])('returns PUBLIC_URL, else localhost with the port, and the did:web: %j', (env, port, url, did) => {
  expect(oracleAddress(env, port)).toEqual({ url, did })
})
