/** The tables of this room. */
export interface CustomerTables {
  /** Replaced by the room's first table. */
  ussd_customers: { readonly id: string }
}
