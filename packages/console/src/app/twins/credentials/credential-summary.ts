/** A credential in lists. */
export interface CredentialSummary {
  readonly id: string
  readonly type: string
  readonly subject: string
  readonly status: 'active' | 'suspended' | 'revoked'
  readonly issuedBy: string
  readonly issuedAt: string
}
