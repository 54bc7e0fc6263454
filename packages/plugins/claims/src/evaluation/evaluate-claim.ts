import type { Actor, Refusal } from '@sibyl/plugin'
import { z } from 'zod'
import type { Caller } from '../access/caller.ts'
import type { Claim } from '../claims/claim.ts'
import { hasRoleFor } from '../claims/claim-rules.ts'
import type { Step } from '../claims/claim-store.ts'
import type { Collection } from '../collections/collection.ts'
import { claimsFailures, stateConflict, waitingForPerson } from '../definitions/claims-errors.ts'
import type { ClaimVerdict } from '../records/claim-records.ts'
import { type ClaimDefinition, parseClaimDefinition } from '../rubric/claim-definition.ts'
import { type Finding, judgeByRules } from '../rubric/judge-by-rules.ts'
import { type DecideClaim, doubtOf, type EvaluationDependencies } from './decide-claim.ts'
import { agentPrompt, judgeByAgent, type Model } from './judge-by-agent.ts'

export type Evaluation = ReturnType<typeof createEvaluation>

const job = 'claims/evaluate'

/** Maximum number of attempts of the agent. */
const maxAttempts = 4

/** Creates the evaluation of claims, and defines its job. */
export const createEvaluation = (parts: EvaluationDependencies, decide: DecideClaim) => {
  const { host, storage, claims, collections, reader, parties } = parts
  const applyVerdict = createApplyVerdict(parts, decide)

  host.jobs.define(
    job,
    z.object({ claim: z.string(), actor: z.custom<Actor>().optional() }),
    async ({ claim: id, actor }, { attempt, signal }) => {
      const claim = await claims.find(id)
      const collection = claim && (await collections.find(claim.collection))
      if (!claim || !collection || claim.state !== 'evaluating' || claim.verdict) return
      const giveUp = (why: string) =>
        storage.write(tx =>
          claims.move(claim, [{ action: 'give-up', by: parties.oracle, why }], {}, host.clock.now(), tx),
        )
      const rightEnd = async () => {
        // Jobs of earlier versions have no actor.
        const verdict = actor && (await host.grants.check(actor))
        return verdict && !verdict.holds ? verdict.refusal : undefined
      }
      try {
        const endBefore = await rightEnd()
        if (endBefore) return void (await giveUp(stoppedBy(endBefore)))
        const { definition, finding } = await judgeRules(claim, collection, parts)
        const model = await usableModel(host)
        const found = await judgeByAgent(model, agentPrompt(claim, collection, definition), signal)
        const endAfter = await rightEnd()
        if (endAfter) return void (await giveUp(stoppedBy(endAfter)))
        const verdict = verdictOf(joined(finding, found), 'agent', parties.oracle, host.clock.now())
        await applyVerdict(claim, collection, [], verdict)
      } catch (error) {
        if (attempt < maxAttempts || signal.aborted) throw error
        host.log.warn('the agent could not judge a claim', { claim: id, error })
        await giveUp('The agent could not judge it. Evaluate it again.')
      }
    },
    { maxAttempts, backOffMs: 2_000, maxBackOffMs: 60_000, concurrency: 2, timeLimitMs: 180_000 },
  )

  return {
    /**
     * Starts the evaluation of a claim. Rules decide at once, the agent decides later, and a person decides with
     * `confirm`.
     *
     * @param actor Actor whose right the agent uses; it stops once that right has ended.
     * @returns whether the agent is still judging it
     * @throws `claim_not_found`, `claim_role_missing`, `claim_state_conflict`, `model_not_configured`,
     * `signing_key_missing`
     */
    async evaluate(id: string, by: Caller, actor: Actor): Promise<{ readonly pending: boolean }> {
      const { claim, collection, roles } = await reader.see(id, by)
      if (!hasRoleFor('evaluate', roles))
        throw claimsFailures.claim_role_missing({
          rule: "Only an evaluator of the claim's collection may evaluate it: by default the oracle, else those that its creation named.",
        })
      const { state, verdict } = claim
      if (state === 'evaluating' && verdict) throw stateConflict('evaluate', waitingForPerson)
      if (state !== 'submitted' && state !== 'evaluating') throw stateConflict('evaluate', state)
      const begin: readonly Step[] =
        state === 'submitted' ? [{ action: 'evaluate', by: by.did, why: judgedBy[collection.evaluation] }] : []
      const { finding } = await judgeRules(claim, collection, parts)
      if (collection.evaluation === 'agent' && finding.decision !== 'reject') {
        await usableModel(host)
        await storage.write(async tx => {
          if (begin.length > 0) await claims.move(claim, begin, { verdict: null }, host.clock.now(), tx)
          await host.jobs.enqueue(
            job,
            { claim: claim.id, actor },
            { dedupeKey: `${claim.id}/${claim.version + begin.length}`, tx },
          )
        })
        return { pending: true }
      }
      const found =
        collection.evaluation === 'person' && finding.decision !== 'reject'
          ? { ...finding, decision: 'unsure' as const }
          : finding
      await applyVerdict(claim, collection, begin, verdictOf(found, 'rules', by.did, host.clock.now()))
      return { pending: false }
    },
  }
}

/** Returns the reason of an evaluation that stopped because the right of its actor ended. */
const stoppedBy = ({ code, detail }: Refusal): string =>
  `The right of the caller who started the evaluation has ended (${code}): ${detail} Evaluate the claim again.`

/** Reason of the first transition, by method. */
const judgedBy = {
  rules: 'The conditions of its protocol and collection decide.',
  agent: "The oracle's agent judges it.",
  person: 'A person judges it.',
} as const

/** Creates the function that applies a verdict: a decision, or a wait for a person. */
const createApplyVerdict =
  (parts: EvaluationDependencies, decide: DecideClaim) =>
  async (claim: Claim, collection: Collection, before: readonly Step[], found: ClaimVerdict): Promise<void> => {
    const { host, storage, claims } = parts
    const verdict = found.decision === 'approve' ? doubted(found, await doubtOf(claim, collection, parts)) : found
    const { decision, by } = verdict
    const why = verdict.reasons.join(' ')
    if (decision === 'unsure' || collection.confirm || collection.evaluation === 'person') {
      const steps = [...before, { action: 'judge' as const, by, why: `${worded[decision]} ${why}` }]
      await storage.write(tx => claims.move(claim, steps, { verdict }, host.clock.now(), tx))
    } else await decide(claim, collection, { before, decision, by, why, verdict, overruled: false })
  }

/** Turns an approval with a doubt into `unsure`, so that a person decides. */
const doubted = (verdict: ClaimVerdict, doubt: string | undefined): ClaimVerdict =>
  doubt === undefined ? verdict : { ...verdict, decision: 'unsure', reasons: [...verdict.reasons, doubt] }

const worded = { approve: 'To be approved.', reject: 'To be rejected.', unsure: 'A person has to decide.' } as const

const judgeRules = async (
  { data, protocol }: Claim,
  { conditions }: Collection,
  { directory, rules }: EvaluationDependencies,
): Promise<{ readonly definition: ClaimDefinition; readonly finding: Finding }> => {
  const version = protocol && (await directory.protocol(protocol.did, protocol.version))
  const parsed = parseClaimDefinition(version?.claim, rules)
  if ('faults' in parsed) throw new Error('a version of a protocol that could be read cannot be read any more')
  return { definition: parsed.definition, finding: judgeByRules(data, parsed.definition, conditions) }
}

/** Combines the findings of the rules and the agent; the agent cannot approve what the rules reject. */
const joined = (ofRules: Finding, ofAgent: Finding): Finding => {
  const checks = [...ofRules.checks, ...ofAgent.checks]
  return ofRules.decision === 'reject' ? { ...ofRules, checks } : { ...ofAgent, checks }
}

const verdictOf = (
  { decision, reasons, checks }: Finding,
  method: ClaimVerdict['method'],
  by: string,
  now: number,
): ClaimVerdict => ({ decision, reasons, checks, method, by, at: new Date(now).toISOString() })

/** Returns the model that answers users. The offline model only knows examples of manifests and cannot judge. */
const usableModel = async ({ model }: EvaluationDependencies['host']): Promise<Model> => {
  const found = await model('main').catch((error: unknown) => {
    const { code } = error as { readonly code?: unknown }
    throw code === 'model_not_configured' ? claimsFailures.model_not_configured() : error
  })
  if (found.provider === 'sibyl' && found.modelId === 'offline') throw claimsFailures.model_not_configured()
  return found
}
