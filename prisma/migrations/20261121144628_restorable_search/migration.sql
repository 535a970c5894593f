-- By hand: what schema.prisma cannot say. migrate:new does not look below this line.

-- The functions behind generated columns find what they call whatever the search_path is: pg_restore has an empty one.
-- A body in standard SQL is bound when it is defined.
CREATE OR REPLACE FUNCTION search_words(value text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN array_remove(string_to_array(regexp_replace(regexp_replace(search_fold(value) COLLATE "C",
    '[\x1f\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2600-\u27bf\u2b00-\u2bff\u3005-\u3007\u3021-\u302f\u3031-\u303c\u3041-\u30fa\u30fc-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U0001f000-\U0001faff\U00020000-\U0003ffff]', ' \& ', 'g'),
    '[\x01-\x1e\x20-\x2f\x3a-\x60\x7b-\xbf\xd7\xf7\u037e\u0387\u0589\u05be\u05c0\u05c3\u05f3\u05f4\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965\u2000-\u25ff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u303d-\u3040\u30fb\ufd3e\ufd3f\ufff0-\uffff]+', ' ', 'g'), ' '), '');

CREATE OR REPLACE FUNCTION search_vector(tenant text, value text, weight text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (SELECT coalesce(string_agg('''' || right(tenant, 6) || left(word, 60) || ''':' || least(place + 1, 16383) || weight, ' ')
    FILTER (WHERE word <> E'\x1f'), '')::tsvector
  FROM unnest(search_words(left(value, 30000))) WITH ORDINALITY AS w(word, place));
