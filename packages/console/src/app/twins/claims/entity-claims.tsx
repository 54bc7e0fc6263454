import { Group, Stack } from '@mantine/core'
import { claimRecord } from '@sibyl/plugin-claims/records'
import { FileCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { PageStates } from '../../components/page-states.tsx'
import { EmptyState } from '../../components/states.tsx'
import { usePages } from '../../components/use-pages.ts'
import { useAccess } from '../../session/console-context.tsx'
import { ClaimRows } from './claim-rows.tsx'
import { SubmitClaim } from './submit-claim.tsx'

/** The claims about an entity, newest first. */
export const EntityClaims = ({
  asset,
  protocol,
}: {
  readonly asset: string
  readonly protocol: string | undefined
}) => {
  const { t } = useTranslation('twins')
  const pages = usePages('v1/claims', 'claims', { asset, limit: 50 }, { schema: claimRecord })
  const maySubmit = useAccess().may('claims/submit')
  return (
    <Stack gap="sm" align="stretch">
      <Group>{maySubmit && <SubmitClaim asset={asset} protocol={protocol} />}</Group>
      <PageStates
        pages={pages}
        empty={
          <EmptyState icon={<FileCheck size={28} aria-hidden />} title={t('claims.noneAbout')}>
            {t('claims.noneAboutRemedy')}
          </EmptyState>
        }
      >
        <ClaimRows pages={pages} hideAsset />
      </PageStates>
    </Stack>
  )
}
