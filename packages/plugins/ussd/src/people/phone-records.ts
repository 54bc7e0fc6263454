import type { JsonValue } from '@sibyl/protocol'
import type { WriteTransaction } from '../storage/ussd-tables.ts'

/** What one room keeps of a phone and of the people who use it. */
export interface PhoneRecords {
  /** Its name in an export: `questions`. */
  readonly name: string
  /** All that is kept, in words that the person understands. Neither PINs nor anything else that is secret. */
  export(phoneNumber: string): Promise<JsonValue>
  /** Prepares the erasure of all that is kept; what it gives runs in one transaction with that of the other rooms. */
  erase(phoneNumber: string): Promise<(tx: WriteTransaction) => Promise<void>>
}
