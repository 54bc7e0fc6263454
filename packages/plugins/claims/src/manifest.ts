import type { Manifest } from '@sibyl/plugin'

export const manifest: Manifest = {
  title: 'Claims',
  summary:
    'Claims about entities: submit them, evaluate them by rules, the agent or a person, dispute decisions, and issue credentials.',
  whenToUse: ['someone submits, evaluates, disputes or lists claims'],
  whenNotToUse: ['managing entities, or verifying credentials'],
  tags: ['claims', 'verification'],
  load: 'on-demand',
  examples: [
    {
      user: [
        'Which claims are waiting?',
        'Which claims are still waiting?',
        'Are there claims waiting?',
        'List the waiting claims',
        'Show me the waiting claims',
        'Which claims are open?',
      ],
      tool: 'list_claims',
      args: { state: 'waiting' },
      answer: '{summary}',
    },
    {
      user: ['List the claims', 'List my claims', 'Show me the claims', 'Which claims are there?'],
      tool: 'list_claims',
      args: {},
      answer: '{summary}',
    },
    {
      user: ['Which claims are {state}?', 'List the {state} claims', 'Show me the {state} claims'],
      tool: 'list_claims',
      args: { state: '{state}' },
      answer: '{summary}',
    },
    {
      user: [
        'Submit a claim about {asset} in {collection} with {data}',
        'Submit a claim about {asset} to the collection {collection} with {data}',
      ],
      tool: 'submit_claim',
      args: { asset: '{asset}', collection: '{collection}', data: '{data}' },
      answer: 'The claim {id} is {state}.',
    },
    {
      user: ['Submit a claim about {asset} with {data}', 'Submit a claim about {asset}: {data}'],
      tool: 'submit_claim',
      args: { asset: '{asset}', data: '{data}' },
      answer: 'The claim {id} is {state}.',
    },
    {
      user: ['Evaluate claim {id}', 'Evaluate the claim {id}', 'Judge claim {id}', 'Verify claim {id}'],
      tool: 'evaluate_claim',
      args: { id: '{id}' },
      answer: 'The claim is {outcome}. Found: {reasons}. Its credential is {credential}.',
    },
    {
      user: ['Dispute claim {id} because {reason}', 'Dispute the claim {id} because {reason}'],
      tool: 'dispute_claim',
      args: { id: '{id}', reason: '{reason}' },
      answer: 'The claim {id} is {state}.',
    },
  ],
}
