/** Encryption of columns at rest, with keys that an operator can change. */
export { createVault, type Vault, type VaultKeys } from './create-vault.ts'
export { readSealingKey, readSealingKeys, type SealingKey, sealingKeyCommand } from './read-sealing-key.ts'
export { type ResealReport, resealTables, type SealedRow, type SealedTable } from './reseal-tables.ts'
export { SealBrokenError } from './seal-broken-error.ts'
export { sealingVariables } from './sealing-variables.ts'
