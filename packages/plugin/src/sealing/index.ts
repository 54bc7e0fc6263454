/** Encryption of columns at rest, with keys that an operator can change. */
export { createVault, type VaultKeys } from './create-vault.ts'
export { readSealingKey, readSealingKeys, type SealingKey, sealingKeyCommand } from './read-sealing-key.ts'
export { type ResealReport, resealTables } from './reseal-tables.ts'
export { SealBrokenError } from './seal-broken-error.ts'
export type { SealedRow, SealedTable } from './sealed-table.ts'
export { sealingVariables } from './sealing-variables.ts'
export type { Vault } from './vault.ts'
