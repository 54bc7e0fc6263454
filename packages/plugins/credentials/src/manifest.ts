import type { Manifest } from '@sibyl/plugin'

export const manifest: Manifest = {
  title: 'Credentials',
  summary: 'Verifiable credentials: issue, verify, revoke, suspend, and resolve DIDs.',
  whenToUse: ['someone issues, verifies or revokes a credential, or resolves a DID'],
  whenNotToUse: ['prepaid amounts and balances (credits)', 'claims that are still undecided (claims)'],
  tags: ['credentials', 'verification', 'certificates', 'did'],
  load: 'on-demand',
  examples: [
    {
      user: [
        'Issue a {type} credential to {subject}',
        'Issue a credential for {type} to {subject}',
        'Issue {type} to {subject}',
        'Certify {type} for {subject}',
        'Give {subject} a {type} credential',
      ],
      tool: 'issue_credential',
      args: { type: '{type}', subject: '{subject}' },
      answer: 'Issued {type} to {subject}: {id}, valid {valid}.',
    },
    {
      user: [
        'Verify the credential {credential}',
        'Verify credential {credential}',
        'Is the credential {credential} valid?',
        'Check the credential {credential}',
        'Was the credential {credential} revoked?',
      ],
      tool: 'verify_credential',
      args: { credential: '{credential}' },
      answer: '{summary}',
    },
    {
      user: [
        'Revoke the credential {id} because {reason}',
        'Revoke credential {id}: {reason}',
        'Take back the credential {id} because {reason}',
      ],
      tool: 'revoke_credential',
      args: { id: '{id}', reason: '{reason}' },
      answer: 'The credential {id} is revoked.',
    },
    {
      user: ['Resolve {did}', 'Resolve the DID {did}', 'Show the DID document of {did}', 'Who is {did}?'],
      tool: 'resolve_did',
      args: { did: '{did}' },
      answer: '{summary}',
    },
  ],
}
