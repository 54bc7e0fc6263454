import type { CoreEnv } from '../config/core-env.ts'

/** The address of an oracle; with `PORT=0` both members change once it listens. */
export interface OracleAddress {
  /** The public URL, without a slash at its end. */
  url: string
  /** The did:web of the URL: `https://a.example/x` becomes `did:web:a.example:x`. */
  did: string
}

/** Returns the address of an oracle. @param port The port that it listens on, if `PORT=0`. */
export const oracleAddress = (
  { PUBLIC_URL, PORT }: Pick<CoreEnv, 'PUBLIC_URL' | 'PORT'>,
  port: number = PORT,
): OracleAddress => {
  const text = PUBLIC_URL ?? `http://localhost:${port}`
  const url = new URL(text)
  const path = url.pathname.split('/').filter(segment => segment !== '')
  return { url: text, did: ['did:web', url.host.replaceAll(':', '%3A'), ...path.map(encodeURIComponent)].join(':') }
}
