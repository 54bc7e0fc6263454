/** Retention of the daily usage of each DID, in days. */
export const keptUsageDays = 35
