-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

-- The search index. Triggers write it, in the transaction of whatever they answer: no command, cascade, sweep or seed can
-- forget it, and it is right at the very next statement. A kind of thing is searched once it stands in search_sources and
-- its tables have the triggers below; who sees it is asked at every search (domain/access.ts), never kept here.
--
-- Both extensions come with PostgreSQL (Debian: in the server's package; elsewhere postgresql-contrib) and are trusted:
-- the owner of the database may create them. Where that is not so, a superuser does it once, before the first start.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- Text as it is compared: compatibility forms, case, accents, Hebrew and Arabic points and invisible characters folded.
-- By code points alone, so that every server folds alike, whatever its locale.
CREATE FUNCTION search_fold(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN value ~ '^[\x01-\x7f]*$' THEN lower(value COLLATE "C") ELSE
    replace(replace(replace(replace(replace(replace(translate(lower(regexp_replace(normalize(value, NFKD) COLLATE "C",
      '[\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]', '', 'g')),
      'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӃӅӇӉӋӍӔӘӠӨӶӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖØøĐđŁłĦħıÐðς',
      'αβγδεζηθικλμνξοπρστυφχψωђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӄӆӈӊӌӎӕәӡөӷӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆooddllhhiddσ'),
      'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe') END
$$;

-- The words of a text. Scripts that set no spaces, and pictures, give a word for each character, so that a part of a run
-- is found as a phrase. U+001F parts texts that no phrase may span: it stays, as a word of its own.
CREATE FUNCTION search_words(value text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT array_remove(string_to_array(regexp_replace(regexp_replace(search_fold(value) COLLATE "C",
    '[\x1f\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2600-\u27bf\u2b00-\u2bff\u3005-\u3007\u3021-\u302f\u3031-\u303c\u3041-\u30fa\u30fc-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U0001f000-\U0001faff\U00020000-\U0003ffff]', ' \& ', 'g'),
    '[\x01-\x1e\x20-\x2f\x3a-\x60\x7b-\xbf\xd7\xf7\u037e\u0387\u0589\u05be\u05c0\u05c3\u05f3\u05f4\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965\u2000-\u25ff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u303d-\u3040\u30fb\ufd3e\ufd3f\ufff0-\uffff]+', ' ', 'g'), ' '), '')
$$;

-- Each word begins with the end of the organization's id: a lookup, by prefix as well, never touches what other tenants
-- wrote. Words count up to their 60th character. The first place stays free: no phrase runs from one vector into the next.
CREATE FUNCTION search_vector(tenant text, value text, weight text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(string_agg('''' || right(tenant, 6) || left(word, 60) || ''':' || least(place + 1, 16383) || weight, ' ')
    FILTER (WHERE word <> E'\x1f'), '')::tsvector
  FROM unnest(search_words(left(value, 30000))) WITH ORDINALITY AS w(word, place)
$$;

-- A row for each thing that can be found. own: its name (A), tags (B), field values and description (C); said: its
-- comments (D). folder_id: the folder that holds it.
CREATE TABLE search_entries (
  organization_id TEXT COLLATE "C" NOT NULL,
  subject_id      TEXT COLLATE "C" NOT NULL,
  project_id      TEXT COLLATE "C" NOT NULL,
  kind            TEXT COLLATE "C" NOT NULL,
  state           TEXT COLLATE "C" NOT NULL,
  name_key        TEXT COLLATE "C" NOT NULL,
  folder_id       TEXT COLLATE "C",
  created_by_id   TEXT COLLATE "C" NOT NULL,
  created_at      TIMESTAMPTZ(3) NOT NULL,
  modified_at     TIMESTAMPTZ(3) NOT NULL,
  own             TSVECTOR NOT NULL,
  said            TSVECTOR NOT NULL DEFAULT '',
  vector          TSVECTOR NOT NULL GENERATED ALWAYS AS (own || said) STORED,
  PRIMARY KEY (organization_id, subject_id)
);
-- What is written goes into the index at once: a list of pending entries would be read by every search.
CREATE INDEX search_entries_vector ON search_entries USING gin (vector) WITH (fastupdate = off);
CREATE INDEX search_entries_folders ON search_entries USING gin (vector) WITH (fastupdate = off) WHERE kind = 'FOLDER';
CREATE INDEX search_entries_name ON search_entries (organization_id, name_key, subject_id);
CREATE INDEX search_entries_created ON search_entries (organization_id, created_at, subject_id);
CREATE INDEX search_entries_modified ON search_entries (organization_id, modified_at, subject_id);
CREATE INDEX search_entries_project ON search_entries (organization_id, project_id, created_at, subject_id);
CREATE INDEX search_entries_folder ON search_entries (organization_id, folder_id);

-- Every word of an organization: what a mistyped word may have meant. It says nothing of who may see what, so it only
-- widens a query, and is never shown. A word may stand here twice: no writer waits for another.
CREATE TABLE search_vocabulary (
  organization_id TEXT COLLATE "C" NOT NULL,
  word            TEXT COLLATE "C" NOT NULL
);
CREATE INDEX search_vocabulary_word ON search_vocabulary (organization_id, word);
CREATE INDEX search_vocabulary_near ON search_vocabulary USING gin (organization_id, word gin_trgm_ops) WITH (fastupdate = off);

-- Trigrams bring the words near to another one, the threshold as low as one transposition in a short word needs. Which
-- of them are near enough is decided by their edit distance (domain/search-near.ts).
CREATE FUNCTION search_near(tenant text, mistyped text) RETURNS TABLE (word text) LANGUAGE sql STABLE
SET pg_trgm.word_similarity_threshold = 0.2 AS $$
  SELECT v.word FROM search_vocabulary v WHERE v.organization_id = tenant AND mistyped <% v.word
  GROUP BY v.word ORDER BY word_similarity(mistyped, v.word) DESC, v.word LIMIT 500
$$;

-- What a row of the index says, from the rows it stands for.
CREATE VIEW search_sources AS
  SELECT d.organization_id, d.id AS subject_id, d.project_id, 'DOCUMENT' AS kind, d.state::text AS state, d.name_key, d.folder_id,
    d.created_by_id, d.created_at, coalesce(d.modified_at, d.created_at) AS modified_at,
    search_vector(d.organization_id, d.name_key, 'A')
    || search_vector(d.organization_id, (SELECT string_agg(t.text_key, E'\x1f') FROM document_tags x
      JOIN tags t ON t.organization_id = x.organization_id AND t.id = x.tag_id
      WHERE x.organization_id = d.organization_id AND x.document_id = d.id), 'B')
    || search_vector(d.organization_id, (SELECT string_agg(v.text_key, E'\x1f') FROM document_field_values v
      WHERE v.organization_id = d.organization_id AND v.document_id = d.id), 'C') AS own
  FROM documents d
  UNION ALL
  SELECT f.organization_id, f.id, f.project_id, 'FOLDER', 'ACTIVE', f.name_key, f.parent_id,
    f.created_by_id, f.created_at, coalesce(f.modified_at, f.created_at), search_vector(f.organization_id, f.name_key, 'A')
  FROM folders f
  UNION ALL
  SELECT t.organization_id, t.id, t.project_id, 'TASK', t.state::text, t.name_key, NULL,
    t.created_by_id, t.created_at, coalesce(t.modified_at, t.created_at),
    search_vector(t.organization_id, t.name_key, 'A') || search_vector(t.organization_id, t.description, 'C')
  FROM tasks t
  UNION ALL
  SELECT m.organization_id, m.id, m.project_id, 'FORM', m.state::text, m.name_key, NULL,
    m.created_by_id, m.created_at, coalesce(m.modified_at, m.created_at), search_vector(m.organization_id, m.name_key, 'A')
  FROM form_templates m;

-- Writes these rows anew. Their locks come first, in one order, and a statement of its own reads after them: what
-- another transaction has changed meanwhile is seen, and not overwritten.
CREATE FUNCTION search_refresh(tenant text, subjects text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM search_entries e WHERE e.organization_id = tenant AND e.subject_id = ANY (subjects) ORDER BY e.subject_id FOR UPDATE;
  INSERT INTO search_entries AS e (organization_id, subject_id, project_id, kind, state, name_key, folder_id, created_by_id, created_at, modified_at, own)
    SELECT * FROM search_sources s WHERE s.organization_id = tenant AND s.subject_id = ANY (subjects) ORDER BY s.subject_id
  ON CONFLICT (organization_id, subject_id) DO UPDATE SET (project_id, state, name_key, folder_id, modified_at, own)
    = (excluded.project_id, excluded.state, excluded.name_key, excluded.folder_id, excluded.modified_at, excluded.own)
  WHERE (e.project_id, e.state, e.name_key, e.folder_id, e.modified_at, e.own)
    IS DISTINCT FROM (excluded.project_id, excluded.state, excluded.name_key, excluded.folder_id, excluded.modified_at, excluded.own);
EXCEPTION WHEN program_limit_exceeded THEN
  -- A tsvector holds a megabyte: the oldest comments give way.
  UPDATE search_entries e SET said = '' WHERE e.organization_id = tenant AND e.subject_id = ANY (subjects) AND e.said <> '';
  IF NOT FOUND THEN RAISE; END IF;
  PERFORM search_refresh(tenant, subjects);
END $$;

-- After a statement on a table: the things that the rows in `changed` belong to, by the column that the trigger names.
CREATE FUNCTION search_after_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  tenant text;
  subjects text[];
BEGIN
  FOR tenant, subjects IN EXECUTE
    format('SELECT organization_id, array_agg(DISTINCT %1$I) FROM changed GROUP BY 1', TG_ARGV[0])
  LOOP
    PERFORM search_refresh(tenant, subjects);
  END LOOP;
  RETURN NULL;
END $$;

CREATE FUNCTION search_after_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM search_entries e USING changed c WHERE e.organization_id = c.organization_id AND e.subject_id = c.id;
  RETURN NULL;
END $$;

-- A comment is only ever added, so it is appended and nothing is read again. What was said longest ago gives way where a
-- thing has more words than a vector holds well.
CREATE FUNCTION search_after_comment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  words tsvector := search_vector(NEW.organization_id, NEW.data ->> 'text', '');
BEGIN
  UPDATE search_entries e SET said = CASE WHEN length(e.said) < 20000 THEN e.said || words ELSE words END
  WHERE e.organization_id = NEW.organization_id AND e.subject_id = NEW.subject_id;
  RETURN NULL;
EXCEPTION WHEN program_limit_exceeded THEN
  UPDATE search_entries e SET said = words
  WHERE e.organization_id = NEW.organization_id AND e.subject_id = NEW.subject_id;
  RETURN NULL;
END $$;

CREATE FUNCTION search_learn() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_vocabulary (organization_id, word)
  SELECT DISTINCT c.organization_id, substr(lexeme, 7) FROM changed c, unnest(tsvector_to_array(c.vector)) AS lexeme
  WHERE char_length(lexeme) BETWEEN 9 AND 36 AND lexeme !~ '^.{6}[0-9]*$' AND NOT EXISTS (
    SELECT FROM search_vocabulary v WHERE v.organization_id = c.organization_id AND v.word = substr(lexeme, 7));
  RETURN NULL;
END $$;

CREATE TRIGGER search_insert AFTER INSERT ON documents REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('id');
CREATE TRIGGER search_update AFTER UPDATE ON documents REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('id');
CREATE TRIGGER search_delete AFTER DELETE ON documents REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_delete();
CREATE TRIGGER search_insert AFTER INSERT ON folders REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('id');
CREATE TRIGGER search_update AFTER UPDATE ON folders REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('id');
CREATE TRIGGER search_delete AFTER DELETE ON folders REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_delete();
CREATE TRIGGER search_insert AFTER INSERT ON tasks REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('id');
CREATE TRIGGER search_update AFTER UPDATE ON tasks REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('id');
CREATE TRIGGER search_delete AFTER DELETE ON tasks REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_delete();
CREATE TRIGGER search_insert AFTER INSERT ON form_templates REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('id');
CREATE TRIGGER search_update AFTER UPDATE ON form_templates REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('id');
CREATE TRIGGER search_delete AFTER DELETE ON form_templates REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_delete();
CREATE TRIGGER search_insert AFTER INSERT ON document_tags REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('document_id');
CREATE TRIGGER search_update AFTER UPDATE ON document_tags REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('document_id');
CREATE TRIGGER search_delete AFTER DELETE ON document_tags REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('document_id');
CREATE TRIGGER search_insert AFTER INSERT ON document_field_values REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('document_id');
CREATE TRIGGER search_update AFTER UPDATE ON document_field_values REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('document_id');
CREATE TRIGGER search_delete AFTER DELETE ON document_field_values REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('document_id');
CREATE TRIGGER search_insert AFTER INSERT ON search_entries REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_learn();
CREATE TRIGGER search_update AFTER UPDATE ON search_entries REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_learn();
CREATE TRIGGER search_comment AFTER INSERT ON events FOR EACH ROW
  WHEN (NEW.kind IN ('document.commented', 'task.commented')) EXECUTE FUNCTION search_after_comment();

-- What is there already.
INSERT INTO search_entries (organization_id, subject_id, project_id, kind, state, name_key, folder_id, created_by_id, created_at, modified_at, own, said)
SELECT s.*, search_vector(s.organization_id, (SELECT string_agg(e.data ->> 'text', E'\x1f' ORDER BY e.sequence DESC) FROM events e
  WHERE e.organization_id = s.organization_id AND e.subject_id = s.subject_id AND e.kind IN ('document.commented', 'task.commented')), '')
FROM search_sources s;
