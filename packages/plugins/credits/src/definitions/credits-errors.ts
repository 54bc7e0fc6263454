import { defineErrors, defineToolFailures } from '@sibyl/plugin'

export const creditsErrors = defineToolFailures({
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was used with another grant. Use a new key.',
  },
})

export const ledgerErrors = defineErrors({
  ledger_unbalanced: {
    message: "The lines of the transaction '{key}' sum to {rest} instead of 0. Nothing was written.",
  },
})
