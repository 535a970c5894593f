-- The search index: a row of search_entries for each document, folder, task and form, and the words of each organization.
-- src/domain/search reads it; docs/search.md says what is found.

-- A text as it is compared: without case, accents, marks and invisible characters; digits of all scripts as 0 to 9.
CREATE OR REPLACE FUNCTION search_fold(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT CASE WHEN value ~ '^[\x01-\x7f]*$' THEN lower(value COLLATE "C") ELSE
    replace(replace(replace(replace(replace(replace(translate(lower(regexp_replace(normalize(value, NFKD) COLLATE "C",
      '[\u00ad\u02bc\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]', '', 'g')),
      'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӃӅӇӉӋӍӔӘӠӨӶӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖØøĐđŁłĦħıÐðς' || U&'\0671\06a9\06aa\06cc\0649\0629\06d5\06c1\06be\0660\0661\0662\0663\0664\0665\0666\0667\0668\0669\06f0\06f1\06f2\06f3\06f4\06f5\06f6\06f7\06f8\06f9\07c0\07c1\07c2\07c3\07c4\07c5\07c6\07c7\07c8\07c9\0966\0967\0968\0969\096a\096b\096c\096d\096e\096f\09e6\09e7\09e8\09e9\09ea\09eb\09ec\09ed\09ee\09ef\0a66\0a67\0a68\0a69\0a6a\0a6b\0a6c\0a6d\0a6e\0a6f\0ae6\0ae7\0ae8\0ae9\0aea\0aeb\0aec\0aed\0aee\0aef\0b66\0b67\0b68\0b69\0b6a\0b6b\0b6c\0b6d\0b6e\0b6f\0be6\0be7\0be8\0be9\0bea\0beb\0bec\0bed\0bee\0bef\0c66\0c67\0c68\0c69\0c6a\0c6b\0c6c\0c6d\0c6e\0c6f\0ce6\0ce7\0ce8\0ce9\0cea\0ceb\0cec\0ced\0cee\0cef\0d66\0d67\0d68\0d69\0d6a\0d6b\0d6c\0d6d\0d6e\0d6f\0de6\0de7\0de8\0de9\0dea\0deb\0dec\0ded\0dee\0def\0e50\0e51\0e52\0e53\0e54\0e55\0e56\0e57\0e58\0e59\0ed0\0ed1\0ed2\0ed3\0ed4\0ed5\0ed6\0ed7\0ed8\0ed9\0f20\0f21\0f22\0f23\0f24\0f25\0f26\0f27\0f28\0f29\1040\1041\1042\1043\1044\1045\1046\1047\1048\1049\1090\1091\1092\1093\1094\1095\1096\1097\1098\1099\17e0\17e1\17e2\17e3\17e4\17e5\17e6\17e7\17e8\17e9\1810\1811\1812\1813\1814\1815\1816\1817\1818\1819\1946\1947\1948\1949\194a\194b\194c\194d\194e\194f\19d0\19d1\19d2\19d3\19d4\19d5\19d6\19d7\19d8\19d9\1a80\1a81\1a82\1a83\1a84\1a85\1a86\1a87\1a88\1a89\1a90\1a91\1a92\1a93\1a94\1a95\1a96\1a97\1a98\1a99\1b50\1b51\1b52\1b53\1b54\1b55\1b56\1b57\1b58\1b59\1bb0\1bb1\1bb2\1bb3\1bb4\1bb5\1bb6\1bb7\1bb8\1bb9\1c40\1c41\1c42\1c43\1c44\1c45\1c46\1c47\1c48\1c49\1c50\1c51\1c52\1c53\1c54\1c55\1c56\1c57\1c58\1c59\a620\a621\a622\a623\a624\a625\a626\a627\a628\a629\a8d0\a8d1\a8d2\a8d3\a8d4\a8d5\a8d6\a8d7\a8d8\a8d9\a900\a901\a902\a903\a904\a905\a906\a907\a908\a909\a9d0\a9d1\a9d2\a9d3\a9d4\a9d5\a9d6\a9d7\a9d8\a9d9\a9f0\a9f1\a9f2\a9f3\a9f4\a9f5\a9f6\a9f7\a9f8\a9f9\aa50\aa51\aa52\aa53\aa54\aa55\aa56\aa57\aa58\aa59\abf0\abf1\abf2\abf3\abf4\abf5\abf6\abf7\abf8\abf9',
      'αβγδεζηθικλμνξοπρστυφχψωђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӄӆӈӊӌӎӕәӡөӷӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆooddllhhiddσ' || U&'\0627\0643\0643\064a\064a\0647\0647\0647\064701234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789'),
      'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe') END
$$;

-- The words of a text; each character of scripts without spaces is one.
CREATE OR REPLACE FUNCTION search_words(value text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN array_remove(string_to_array(regexp_replace(regexp_replace(search_fold(value) COLLATE "C",
    '[\x1f\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2600-\u27bf\u2b00-\u2bff\u3005-\u3007\u3021-\u302f\u3031-\u303c\u3041-\u30fa\u30fc-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U0001f000-\U0001faff\U00020000-\U0003ffff]', ' \& ', 'g'),
    '[\x01-\x1e\x20-\x2f\x3a-\x60\x7b-\xbf\xd7\xf7\u037e\u0387\u0589\u05be\u05c0\u05c3\u05f3\u05f4\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965\u2000-\u25ff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u303d-\u3040\u30fb\ufd3e\ufd3f\ufff0-\uffff]+', ' ', 'g'), ' '), '');

-- Words that are written in parts, in one piece, as `obrien` for `O'Brien` and `de89370400440532013000` for a number in groups
-- of four: without hyphens and apostrophes between letters, and without single separators between digits. Up to 40
-- characters, so that rows of numbers make no words.
CREATE OR REPLACE FUNCTION search_joined(value text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (SELECT CASE WHEN j.joined = f.folded THEN '{}' ELSE (
    SELECT coalesce(array_agg(w.word ORDER BY w.word), '{}') FROM (
      SELECT unnest(search_words(j.joined)) COLLATE "C" EXCEPT SELECT unnest(search_words(f.folded)) COLLATE "C") AS w(word)
    WHERE char_length(w.word) <= 40) END
  FROM (SELECT search_fold(value) COLLATE "C" AS folded) f
  CROSS JOIN LATERAL (SELECT regexp_replace(regexp_replace(f.folded,
    '(?<=[^\x01-\x2f\x3a-\x60\x7b-\xbf\u2000-\u25ff\u3000])[\u0027\u2010\u2018\u2019\u201b-](?=[^\x01-\x2f\x3a-\x60\x7b-\xbf\u2000-\u25ff\u3000])', '', 'g'),
    '(?<=[0-9])[ ./()_-]{1,2}(?=[0-9])', '', 'g') AS joined) j);

-- The words of the first 30,000 characters with their places. Each begins with the last six characters of the organization's
-- id, so that the index divides by organization. Words in one piece are at the first place.
CREATE OR REPLACE FUNCTION search_vector(tenant text, value text, weight text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
-- A dump is restored with an empty search_path.
SET search_path FROM CURRENT AS $$
DECLARE
  beginning text := left(value, 30000);
  prefix text := '''' || right(tenant, 6);
  words tsvector;
  joined text[];
BEGIN
  IF beginning IS NULL OR beginning = '' THEN RETURN ''; END IF;
  words := (SELECT coalesce(string_agg(prefix || left(word, 60) || ''':' || least(place + 1, 16383) || weight, ' ')
      FILTER (WHERE word <> E'\x1f'), '')::tsvector
    FROM unnest(search_words(beginning)) WITH ORDINALITY AS w(word, place));
  IF beginning COLLATE "C" ~ '^[\x01-\x7f]*$' AND beginning COLLATE "C" !~ '[\u0027-]|[0-9][ ./()_-]{1,2}[0-9]' THEN RETURN words; END IF;
  joined := search_joined(beginning);
  IF joined = '{}' THEN RETURN words; END IF;
  RETURN words || (SELECT string_agg(prefix || word || ''':1' || weight, ' ')::tsvector FROM unnest(joined) AS w(word));
END $$;

-- What is found of each object without its comments, from the rows that hold it.
CREATE OR REPLACE VIEW search_sources AS
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
    search_vector(t.organization_id, t.name_key, 'A')
    || search_vector(t.organization_id, (SELECT string_agg(g.text_key, E'\x1f') FROM task_tags x
      JOIN tags g ON g.organization_id = x.organization_id AND g.id = x.tag_id
      WHERE x.organization_id = t.organization_id AND x.task_id = t.id), 'B')
    || search_vector(t.organization_id, t.description, 'C')
  FROM tasks t
  UNION ALL
  SELECT m.organization_id, m.id, m.project_id, 'FORM', m.state::text, m.name_key, NULL,
    m.created_by_id, m.created_at, coalesce(m.modified_at, m.created_at), search_vector(m.organization_id, m.name_key, 'A')
  FROM form_templates m;

-- Writes the entries of these objects anew, in the order of their ids, so that two transactions do not wait for each other.
CREATE OR REPLACE FUNCTION search_refresh(subjects text[]) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  PERFORM FROM search_entries e WHERE e.subject_id = ANY (subjects) ORDER BY e.subject_id FOR UPDATE;
  INSERT INTO search_entries AS e (organization_id, subject_id, project_id, kind, state, name_key, folder_id, created_by_id, created_at, modified_at, own)
    SELECT * FROM search_sources s WHERE s.subject_id = ANY (subjects) ORDER BY s.subject_id
  ON CONFLICT (subject_id) DO UPDATE SET (project_id, state, name_key, folder_id, modified_at, own)
    = (excluded.project_id, excluded.state, excluded.name_key, excluded.folder_id, excluded.modified_at, excluded.own)
  WHERE (e.project_id, e.state, e.name_key, e.folder_id, e.modified_at, e.own)
    IS DISTINCT FROM (excluded.project_id, excluded.state, excluded.name_key, excluded.folder_id, excluded.modified_at, excluded.own);
EXCEPTION WHEN program_limit_exceeded THEN
  -- A tsvector holds a megabyte: the oldest comments give way.
  UPDATE search_entries e SET said = '' WHERE e.subject_id = ANY (subjects) AND e.said <> '';
  IF NOT FOUND THEN RAISE; END IF;
  PERFORM search_refresh(subjects);
END $$;

-- After a change of an object, or of its tags and fields: the argument is the column with its id.
CREATE OR REPLACE FUNCTION search_after_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  subjects text[];
BEGIN
  EXECUTE format('SELECT array_agg(DISTINCT %I) FROM changed', TG_ARGV[0]) INTO subjects;
  IF subjects IS NOT NULL THEN PERFORM search_refresh(subjects); END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER search_delete AFTER DELETE ON document_field_values
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('document_id');

CREATE OR REPLACE TRIGGER search_insert AFTER INSERT ON document_field_values
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('document_id');

CREATE OR REPLACE TRIGGER search_update AFTER UPDATE ON document_field_values
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('document_id');

CREATE OR REPLACE TRIGGER search_delete AFTER DELETE ON document_tags
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('document_id');

CREATE OR REPLACE TRIGGER search_insert AFTER INSERT ON document_tags
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('document_id');

CREATE OR REPLACE TRIGGER search_update AFTER UPDATE ON document_tags
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('document_id');

CREATE OR REPLACE TRIGGER search_insert AFTER INSERT ON documents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('id');

CREATE OR REPLACE TRIGGER search_update AFTER UPDATE ON documents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('id');

CREATE OR REPLACE TRIGGER search_insert AFTER INSERT ON folders
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('id');

CREATE OR REPLACE TRIGGER search_update AFTER UPDATE ON folders
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('id');

CREATE OR REPLACE TRIGGER search_insert AFTER INSERT ON form_templates
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('id');

CREATE OR REPLACE TRIGGER search_update AFTER UPDATE ON form_templates
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('id');

CREATE OR REPLACE TRIGGER search_delete AFTER DELETE ON task_tags
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('task_id');

CREATE OR REPLACE TRIGGER search_insert AFTER INSERT ON task_tags
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('task_id');

CREATE OR REPLACE TRIGGER search_update AFTER UPDATE ON task_tags
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('task_id');

CREATE OR REPLACE TRIGGER search_insert AFTER INSERT ON tasks
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('id');

CREATE OR REPLACE TRIGGER search_update AFTER UPDATE ON tasks
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_change('id');

CREATE OR REPLACE FUNCTION search_after_delete() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  DELETE FROM search_entries e USING changed c WHERE e.subject_id = c.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER search_delete AFTER DELETE ON documents
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_delete();

CREATE OR REPLACE TRIGGER search_delete AFTER DELETE ON folders
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_delete();

CREATE OR REPLACE TRIGGER search_delete AFTER DELETE ON form_templates
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_delete();

CREATE OR REPLACE TRIGGER search_delete AFTER DELETE ON tasks
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_delete();

-- A comment adds its words.
CREATE OR REPLACE FUNCTION search_after_comment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  words tsvector := search_vector(NEW.organization_id, NEW.data ->> 'text', '');
BEGIN
  UPDATE search_entries e SET said = CASE WHEN length(e.said) < 20000 THEN e.said || words ELSE words END
  WHERE e.subject_id = NEW.subject_id;
  RETURN NULL;
EXCEPTION WHEN program_limit_exceeded THEN
  UPDATE search_entries e SET said = words WHERE e.subject_id = NEW.subject_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER search_comment AFTER INSERT ON events
  FOR EACH ROW WHEN (new.kind = ANY (ARRAY['document.commented'::text, 'task.commented'::text]))
  EXECUTE FUNCTION search_after_comment();

-- The vocabulary of an organization, for words that are mistyped.
CREATE OR REPLACE FUNCTION search_learn() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  INSERT INTO search_vocabulary (organization_id, word)
  SELECT c.organization_id, c.word FROM (
    SELECT DISTINCT c.organization_id, substr(lexeme, 7) AS word FROM changed c, unnest(tsvector_to_array(c.vector)) AS lexeme
    WHERE char_length(lexeme) BETWEEN 9 AND 36 AND lexeme !~ '^.{6}[0-9]*$') c
  WHERE NOT EXISTS (SELECT FROM search_vocabulary v
    WHERE v.organization_id = c.organization_id AND v.word = c.word OFFSET 0);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER search_insert AFTER INSERT ON search_entries
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_learn();

CREATE OR REPLACE TRIGGER search_update AFTER UPDATE ON search_entries
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_learn();

-- The words of an organization that are most like a mistyped one.
CREATE OR REPLACE FUNCTION search_near(tenant text, mistyped text) RETURNS TABLE(word text) LANGUAGE sql
STABLE SET "pg_trgm.word_similarity_threshold" TO '0.2' AS $$
  SELECT v.word FROM search_vocabulary v WHERE v.organization_id = tenant AND mistyped <% v.word
  GROUP BY v.word ORDER BY word_similarity(mistyped, v.word) DESC, v.word LIMIT 500
$$;

-- Writes the words of all comments on these objects anew: also after comments were redacted.
CREATE OR REPLACE FUNCTION search_refresh_comments(subjects text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE search_entries e SET said = w.words FROM (
    SELECT n.subject_id,
      search_vector(n.organization_id, coalesce(string_agg(v.data ->> 'text', E'\x1f' ORDER BY v.sequence DESC), ''), '') AS words
    FROM search_entries n LEFT JOIN events v ON v.organization_id = n.organization_id AND v.subject_id = n.subject_id
      AND v.kind IN ('document.commented', 'task.commented')
    WHERE n.subject_id = ANY (subjects) GROUP BY n.organization_id, n.subject_id) w
  WHERE e.subject_id = w.subject_id AND e.said <> w.words;
END $$;

CREATE OR REPLACE FUNCTION search_after_redaction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM search_refresh_comments((SELECT array_agg(DISTINCT c.subject_id) FROM changed c
    WHERE c.kind IN ('document.commented', 'task.commented')));
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER search_redaction AFTER UPDATE ON events
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION search_after_redaction();
