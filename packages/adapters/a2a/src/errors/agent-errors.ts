import { defineToolFailures } from '@sibyl/plugin'

/** Failures of agents that the oracle calls; the model and the user read them. */
export const agentErrors = defineToolFailures({
  a2a_card_unavailable: { status: 502, message: 'The card of the agent {agent} cannot be read: {problem}' },
  a2a_card_unsigned: {
    status: 502,
    message:
      'The card of the agent {agent} has no signature. The operator can allow that with `#unsigned` after its address in A2A_AGENTS.',
  },
  a2a_card_forged: { status: 502, message: 'The card of the agent {agent} has no valid signature: {problem}' },
  a2a_agent_failed: { status: 502, message: 'The agent {agent} failed: {problem}' },
  a2a_agent_unauthorized: {
    status: 502,
    message: 'The agent {agent} requires authentication that this oracle does not have.',
  },
  a2a_not_delegated: {
    status: 403,
    message:
      'The agent {agent} is an oracle that this one calls as the user, and the user has not allowed it. Delegate {abilities} on {resource} to this oracle, and send the delegation with POST /delegation.',
  },
})
