import type { JsonValue } from '@sibyl/protocol'
import type { WriteTransaction } from '../storage/ussd-tables.ts'

/** One kind of records of a phone and its users. */
export interface PhoneRecords {
  readonly name: string
  /** Returns everything that is stored, in a form that the person understands, without PINs and other secrets. */
  export(phoneNumber: string): Promise<JsonValue>
  /** Prepares the erasure; the returned function runs in one transaction with those of the other records. */
  erase(phoneNumber: string): Promise<(tx: WriteTransaction) => Promise<void>>
}
