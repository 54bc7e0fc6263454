import type { Host } from '@sibyl/plugin'
import type { Customers, Phones } from '../customers/customers.ts'
import type { Questions } from '../questions/questions.ts'
import type { UssdTables } from '../storage/ussd-tables.ts'

/** What a flow of one's own may rest on. */
export interface FlowServices {
  readonly host: Host<unknown, UssdTables>
  readonly customers: Customers
  readonly phones: Phones
  readonly questions: Questions
}
