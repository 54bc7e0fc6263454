export { claims } from './claims.ts'
export { type ClaimRegister, claimRegister } from './records/claim-register.ts'
