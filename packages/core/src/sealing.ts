/** Encryption of columns at rest, with keys that an operator can change. */
export { createVault, type VaultKeys } from './sealing/create-vault.ts'
export { readSealingKey, readSealingKeys, type SealingKey, sealingKeyCommand } from './sealing/read-sealing-key.ts'
export { type ResealReport, resealTables } from './sealing/reseal-tables.ts'
export { SealBrokenError } from './sealing/seal-broken-error.ts'
export type { SealedRow, SealedTable } from './sealing/sealed-table.ts'
export { sealingVariables } from './sealing/sealing-variables.ts'
export type { Vault } from './sealing/vault.ts'
