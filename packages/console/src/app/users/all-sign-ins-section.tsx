import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { Section } from '../components/section.tsx'
import { OnlyOperators } from './only-operators.tsx'
import { OperatorSignIns } from './operator-sign-ins.tsx'

/** The applications that act for users, of all users. */
export const AllSignInsSection = () => {
  const { t } = useTranslation('users')
  const [onlyOperators, setOnlyOperators] = useState(false)
  return (
    <Section
      title={t('signIns.title')}
      description={t('signIns.all')}
      actions={<OnlyOperators checked={onlyOperators} onChange={setOnlyOperators} />}
    >
      <OperatorSignIns onlyOperators={onlyOperators} />
      <CommandHint commands={['GET /oauth/sign-ins?as=operator', 'DELETE /oauth/sign-ins/{id}?as=operator']} />
    </Section>
  )
}
