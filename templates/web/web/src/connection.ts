import { browserKeyStore, createClient, type OracleClient } from '@sibyl/client'

/** The user's key and grant in this browser, and the oracle that they are used at. */
export interface Connection {
  readonly client: OracleClient
  readonly name: string
  /** The user's DID. */
  readonly did: string
}

/** The oracle that serves the page; `VITE_ORACLE_URL` in `.env` names another, whose `CORS_ORIGIN` has to list this page. */
const oracleUrl: string = import.meta.env.VITE_ORACLE_URL || location.origin

const keys = browserKeyStore()
const grantItem = 'sibyl-grant'

/** Opens the stored key, or creates it at the first visit. */
export const connect = async (): Promise<Connection> => {
  const key = await keys.open()
  const grant = localStorage.getItem(grantItem)
  const client = createClient({ url: oracleUrl, signer: key, proofs: grant ? [grant] : [] })
  const { name } = await client.oracle()
  return { client, name, did: key.did }
}

/** Stores what `sibyl token grant <did>` printed: an oracle in production accepts only users with a grant. */
export const saveGrant = (grant: string): void => localStorage.setItem(grantItem, grant.trim())

/** Starts with a new key, and so as another user. The conversations of the previous one stay with its DID. */
export const startOver = async (): Promise<void> => {
  localStorage.removeItem(grantItem)
  await keys.replace()
}
