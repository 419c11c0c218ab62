# Goes with the crowd: chooses the action with the number that is seen most often on the table and in the hand.
#
# Run with `-W interactive`: mawk would otherwise wait for more input than there is. Other awks ignore it.

index($0, "{\"decision_requested\":") == 1 {
    at = index($0, "\"legal_actions\":[")
    count_numbers(substr($0, 1, at - 1))
    many = split(substr($0, at), action, /[{]"kind":/)   # action[1] is what stands before the first
    choice = 2
    for (i = 3; i <= many; i++)
        if (seen[main_number(action[i])] > seen[main_number(action[choice])]) choice = i
    print choice - 2
    fflush()
}

# Counts every number in a text.
function count_numbers(text,    many, number) {
    split("", seen)
    for (many = split(text, number, /[^0-9]+/); many > 0; many--) seen[number[many]]++
}

# The first number of an action that is not 0; nothing if it has none.
function main_number(text) {
    return match(text, /[1-9][0-9]*/) ? substr(text, RSTART, RLENGTH) : "none"
}
