/** Why a password was not accepted, as a sentence for its owner. `wait`: ms, after too many attempts. */
export interface PasswordFault {
  text: string;
  wait?: number;
}

/** What changes of an account need beside the database: hashes and checks of passwords, and limits of attempts and mails. */
export interface AccountService {
  /** Whether a mail server is configured. */
  readonly sendsMail: boolean;
  /** What is wrong with the password that the user of a session has entered as theirs; undefined if it is right. */
  wrongPassword(userId: string, entered: string): Promise<PasswordFault | undefined>;
  /** Why a new password is refused; undefined if it is accepted. */
  weakPassword(password: string, person: { email: string; name: string }): Promise<string | undefined>;
  hashPassword(password: string): Promise<string>;
  /** Counts a mail that an account causes to an address: false beyond the limits of an hour. */
  mayMail(userId: string, email: string): Promise<boolean>;
}
