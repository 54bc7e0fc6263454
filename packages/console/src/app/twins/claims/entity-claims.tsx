import { claimRecord } from '@sibyl/plugin-claims/records'
import { FileCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { PageStates } from '../../components/page-states.tsx'
import { EmptyState } from '../../components/states.tsx'
import { usePages } from '../../components/use-pages.ts'
import { ClaimRows } from './claim-rows.tsx'

/** The claims about an entity, newest first. */
export const EntityClaims = ({ asset }: { readonly asset: string }) => {
  const { t } = useTranslation('twins')
  const pages = usePages('v1/claims', 'claims', { asset, limit: 50 }, { schema: claimRecord })
  return (
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
  )
}
