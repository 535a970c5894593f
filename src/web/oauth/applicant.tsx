import { Name } from '../ui/name.tsx';

/** Who requests access, as people can judge it. */
export interface Applicant {
  name: string;
  organizationName: string;
  homePageUrl: string | null;
  privacyUrl: string | null;
  /** The path of its logo. */
  logo: string | null;
  /**
   * `own`: an application of an organization of the user, and not verified. `described`: by a document, whose host `organizationName` is.
   */
  standing: 'verified' | 'own' | 'unverified' | 'described';
  /** Any program on the user's computer can claim to be it. */
  isClaimable: boolean;
}

/** In characters. Names of organizations and people, and older names of applications, can be longer. */
export const MAX_NAME_LENGTH = 50;

const STANDINGS: Record<Applicant['standing'], string> = {
  verified: 'Verified by the operator of this installation',
  own: 'An application of your organization',
  unverified: 'Not verified by the operator',
  described: 'Described by itself at this address, and not verified by the operator',
};

/** The publisher of an application, its pages, and whether somebody has checked that. */
export const ApplicantFacts = ({ applicant }: { applicant: Applicant }) => (
  <dl class="applicant">
    <dt>{applicant.standing === 'described' ? 'Address' : 'Publisher'}</dt>
    <dd class="who">
      <Name of={applicant.organizationName} maxLength={MAX_NAME_LENGTH} />
    </dd>
    {applicant.homePageUrl && <PageFact title="Home page" url={applicant.homePageUrl} />}
    {applicant.privacyUrl && <PageFact title="Privacy" url={applicant.privacyUrl} />}
    <dt>Identity</dt>
    <dd class={applicant.standing}>{STANDINGS[applicant.standing]}</dd>
  </dl>
);

/** The text of the link is the host that it leads to. */
const PageFact = ({ title, url }: { title: string; url: string }) => (
  <>
    <dt>{title}</dt>
    <dd class="who">
      <a href={url} target="_blank" rel="noreferrer noopener">
        {new URL(url).host}
      </a>
    </dd>
  </>
);
