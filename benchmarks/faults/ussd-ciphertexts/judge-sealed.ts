import { DatabaseSync } from 'node:sqlite'

/** Stored values of customers. */
export interface SealedVerdict {
  readonly count: number
  /** Number of different encrypted texts. */
  readonly texts: number
  /** Number of different nonces. */
  readonly nonces: number
  /** Rows in which the PIN can be read. */
  readonly inTheClear: number
}

const nonceBytes = 12

/** Reads the sealed PINs, once no oracle runs. */
export const judgeSealed = (file: string, pin: string): SealedVerdict => {
  const database = new DatabaseSync(file)
  try {
    const rows = database.prepare('select pin from ussd_customers').all() as { readonly pin: string }[]
    const sealed = rows.map(row => row.pin)
    return {
      count: sealed.length,
      texts: new Set(sealed).size,
      nonces: new Set(sealed.map(nonceOf)).size,
      inTheClear: sealed.filter(text => text === pin || bytesOf(text).includes(pin)).length,
    }
  } finally {
    database.close()
  }
}

/** `v1.<key id>.<base64url of nonce, ciphertext and tag>` */
const bytesOf = (sealed: string): Buffer => Buffer.from(sealed.split('.')[2] ?? '', 'base64url')

const nonceOf = (sealed: string): string => bytesOf(sealed).subarray(0, nonceBytes).toString('hex')
