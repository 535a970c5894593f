/** Why a password was not accepted, as a sentence for its owner. `wait`: ms, after too many attempts. */
export interface PasswordFault {
  text: string;
  wait?: number;
}

/** A password that was entered for an account. */
export interface NewPassword {
  password: string;
  email: string;
  name: string;
  /** The id of the invitation, request or person that permits to set it. */
  permittedBy: string;
  /** The IP address that sent it. */
  address: string;
}

/** What changes of an account need beside the database: hashes and checks of passwords, and limits of attempts and mails. */
export interface AccountService {
  /** Whether a mail server is configured. */
  readonly sendsMail: boolean;
  /** What is wrong with the password that the user of a session has entered as theirs; undefined if it is right. */
  wrongPassword(userId: string, entered: string): Promise<PasswordFault | undefined>;
  /** Why a new password is refused; undefined if it is accepted. Throws RATE_LIMITED, and Busy. */
  weakPassword(entered: NewPassword): Promise<string | undefined>;
  hashPassword(password: string): Promise<string>;
  /** Counts a mail that an account causes to an address: false beyond the limits of an hour. */
  mayMail(userId: string, email: string): Promise<boolean>;
}
