export {
  type CredentialRecord,
  type CredentialSummary,
  credentialRecord,
  credentialSummary,
} from './credential-record.ts'
export { verdict } from './verdict.ts'
